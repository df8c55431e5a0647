/** One connection that is opened before there is a request for it: name resolution and handshakes are over when it comes. */

import type { Socket } from 'node:net'

/** Servers close connections over which nothing is said. */
const LONGEST_MS = 10_000

export class EarlyConnection {
  private socket: Socket | undefined

  /** Opens it, unless one waits already. Whatever goes wrong is left to the request, which will meet it, too. */
  open(connect: () => Socket): void {
    if (this.socket) return
    const socket = connect()
    this.socket = socket
    const forget = (): void => {
      if (this.socket === socket) this.socket = undefined
    }
    socket.on('error', forget)
    socket.once('close', forget)
    socket.setTimeout(LONGEST_MS, () => {
      if (this.socket === socket) socket.destroy()
    })
    socket.unref()
  }

  /** Hands it over, as new; undefined when there is none that can be used. */
  take(): Socket | undefined {
    const { socket } = this
    this.socket = undefined
    if (!socket || socket.destroyed || !socket.writable) return undefined
    socket.setTimeout(0)
    socket.removeAllListeners('timeout')
    socket.ref()
    return socket
  }

  close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }
}
