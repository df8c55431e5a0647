/** Writes a scripted reply to the wire, piece by piece. Knows nothing of what the bytes mean. */

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { MockReply, Piece } from './types.ts'

/** Resolves when the reply is out, or when the client has gone. */
export async function sendReply(reply: MockReply, response: ServerResponse): Promise<void> {
  const socket = response.socket
  if (!socket) return
  if (reply.headDelayMs) await sleep(reply.headDelayMs)
  const body = reply.pieces ?? []
  if (!reply.raw) {
    response.writeHead(reply.status ?? 200, reply.headers ?? { 'content-type': 'text/event-stream; charset=utf-8' })
    response.flushHeaders()
  }
  const out = reply.raw ? socket : response
  for (const [position, piece] of body.entries()) {
    if (socket.destroyed) return
    await sendPiece(piece, out, position < body.length - 1)
  }
  await close(reply, response, socket)
}

async function sendPiece(piece: Piece, out: Socket | ServerResponse, more: boolean): Promise<void> {
  if (typeof piece === 'object' && 'delayMs' in piece) return sleep(piece.delayMs)
  if (typeof piece === 'object' && 'run' in piece) return piece.run()
  const bytes = typeof piece === 'object' && 'base64' in piece ? Buffer.from(piece.base64, 'base64') : piece
  if (bytes.length === 0) return
  const room = out.write(bytes)
  if (!room) await drained(out)
  // A turn of the loop between writes makes each of them a segment of its own.
  else if (more) await nextTurn()
}

/** Waits for room, or for the end of the connection. */
async function drained(out: Socket | ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  out.once('drain', resolve)
  out.once('close', resolve)
  await promise
  out.off('drain', resolve)
  out.off('close', resolve)
}

async function close(reply: MockReply, response: ServerResponse, socket: Socket): Promise<void> {
  switch (reply.end ?? 'finish') {
    case 'finish':
      if (reply.raw) socket.end()
      else response.end()
      return
    case 'fin':
      await nextTurn()
      socket.end()
      return
    case 'reset':
      // What was written has to leave the process first: RST throws away what is queued.
      await sleep(10)
      socket.resetAndDestroy()
      return
    case 'hang':
      return
  }
}
