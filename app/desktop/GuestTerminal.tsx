import type { Terminal } from '@xterm/xterm'
import { RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { socketUrl } from '../state/engine.ts'
import { stageText } from '../text/stage.ts'

const words = stageText.terminal

type Shown = 'connecting' | 'open' | 'ended' | 'lost'

/** A shell in the guest. Loaded when first opened; ends when it is left. */
export function GuestTerminal({ machineId, name }: { machineId: string; name: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Shown>('connecting')
  const [opened, setOpened] = useState(1)

  useEffect(() => {
    let ended = false
    let stop = () => {}
    setShown('connecting')
    const open = async () => {
      const [{ Terminal }, { FitAddon }] = await Promise.all([import('@xterm/xterm'), import('@xterm/addon-fit')])
      const element = place.current
      if (ended || !element) return
      const terminal = new Terminal({
        fontFamily: getComputedStyle(element).fontFamily,
        fontSize: 13,
        cursorBlink: true,
        screenReaderMode: true,
        theme: { background: '#17140f', foreground: '#ece7dd', cursor: '#e2b14a' },
      })
      const fit = new FitAddon()
      terminal.loadAddon(fit)
      terminal.open(element)
      stop = wire(terminal, machineId, setShown, () => ended)
      const observer = new ResizeObserver(() => element.clientWidth > 0 && fit.fit())
      observer.observe(element)
      const unwire = stop
      stop = () => {
        observer.disconnect()
        unwire()
        terminal.dispose()
      }
    }
    void open()
    return () => {
      ended = true
      stop()
    }
  }, [machineId, opened])

  const over = shown === 'ended' || shown === 'lost'
  return (
    <section
      aria-label={words.label(name)}
      className="relative flex h-full min-h-0 flex-col bg-[#17140f] text-[#ece7dd]"
    >
      <div ref={place} className="min-h-0 flex-1 overflow-hidden p-2 font-mono" />
      {shown === 'connecting' && <p className="absolute inset-x-3 top-2.5 text-sm opacity-80">{words.connecting}</p>}
      {over && (
        <div
          role="status"
          className="flex items-center justify-between gap-3 border-t border-white/15 px-3 py-2 text-sm"
        >
          {shown === 'ended' ? words.ended : words.lost}
          <Button size="sm" icon={RotateCcw} onClick={() => setOpened(opened + 1)}>
            {words.again}
          </Button>
        </div>
      )}
    </section>
  )
}

/** Joins a terminal on the page with a shell in the guest. Returns how to part them. */
function wire(terminal: Terminal, machineId: string, onShown: (shown: Shown) => void, left: () => boolean): () => void {
  const socket = new WebSocket(socketUrl(`/terminal/${encodeURIComponent(machineId)}`), ['binary'])
  socket.binaryType = 'arraybuffer'
  const tellSize = () =>
    socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ columns: terminal.cols, rows: terminal.rows }))
  const encoder = new TextEncoder()
  socket.onopen = () => {
    onShown('open')
    tellSize()
    terminal.focus()
  }
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) terminal.write(new Uint8Array(data))
  }
  socket.onclose = ({ code }) => {
    if (!left()) onShown(code === 1000 ? 'ended' : 'lost')
  }
  terminal.onData((typed) => socket.readyState === WebSocket.OPEN && socket.send(encoder.encode(typed)))
  terminal.onResize(tellSize)
  return () => socket.close()
}
