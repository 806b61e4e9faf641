import type { Client, ClientChannel } from 'ssh2'

/** Reads the command up to a zero byte, one byte at a time, so that what follows is the command's own input. */
const WAIT = `IFS= read -r -d '' GODHAND_COMMAND && eval "$GODHAND_COMMAND"`
/** A longer one is given to a shell of its own. */
const LONGEST_COMMAND = 2048

/**
 * Shells of one connection that are up before they are needed. Starting one is most of what a short command costs:
 * in software emulation ~100 ms against ~30 for the command.
 */
export class WaitingShells {
  readonly #connection: Client
  readonly #waiting: Promise<Shell | null>[] = []

  /** One after the first command, two from then on: whoever runs two commands mostly runs more. */
  #wanted = 0

  constructor(connection: Client) {
    this.#connection = connection
  }

  /**
   * Gives `attach` a shell that runs this command; its input is the caller's to write and to end. It is called in the
   * very moment the channel opens: the news of a short command's end may be in the same packet.
   */
  async run(command: string, attach: (channel: ClientChannel) => void): Promise<void> {
    if (Buffer.byteLength(command) > LONGEST_COMMAND || command.includes('\0')) {
      await open(this.#connection, command, attach)
      return
    }
    const next = this.#waiting.shift()
    this.#wanted = Math.min(2, this.#wanted + 1)
    this.#fill()
    const shell = await next
    if (!shell || shell.ended) {
      await open(this.#connection, command, attach)
      return
    }
    shell.channel.write(`${command}\0`)
    attach(shell.channel)
  }

  #fill(): void {
    while (this.#waiting.length < this.#wanted) {
      const shell = open(this.#connection, WAIT, () => {}).then((channel) => {
        const opened = { channel, ended: false }
        channel.once('close', () => {
          opened.ended = true
        })
        return opened
      })
      this.#waiting.push(shell.catch(() => null)) // then the command opens its own, and says what is wrong
    }
  }
}

type Shell = { channel: ClientChannel; ended: boolean }

function open(connection: Client, command: string, attach: (channel: ClientChannel) => void): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    connection.exec(command, (error, channel) => {
      if (error) return reject(error)
      attach(channel)
      resolve(channel)
    })
  })
}
