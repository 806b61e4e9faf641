import { type ReactNode, useEffect, useRef } from 'react'

type Props = { label: string; onClose: () => void; className?: string; children: ReactNode }

/** The browser's own modal dialog: it keeps the focus inside, hides the rest, and closes on Escape. */
export function Modal({ label, onClose, className = '', children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The dialog itself unless something in it asks: the first button is rarely the one a person came for.
    const first = element?.querySelector('[data-first-focus]') ?? element
    if (first instanceof HTMLElement) first.focus()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog is a shortcut for Escape, which it has.
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      className={`m-auto rounded-lg bg-surface text-ink shadow-lift outline-none ${className}`}
    >
      {children}
    </dialog>
  )
}
