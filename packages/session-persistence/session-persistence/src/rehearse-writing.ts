/** Writes a short session, as a conversation would that has just begun. */

import { newSessionId, SESSION_FORMAT_VERSION, type SessionEvent, type SessionHeader } from '@deepseek-ai/dsh-session'
import type { SessionWriter } from './session-persistence.ts'

/** Rejects as the writer does. */
export async function rehearseWriting(create: (header: SessionHeader) => SessionWriter): Promise<void> {
  const writer = create({ version: SESSION_FORMAT_VERSION, id: newSessionId(), createdAt: Date.now(), cwd: process.cwd() })
  try {
    await writer.append([message(0), message(1)])
    await writer.sync()
    await writer.append([message(2)])
    await writer.sync()
  } finally {
    await writer.close()
  }
}

function message(seq: number): SessionEvent {
  return { type: 'user/message', seq, time: Date.now(), data: { content: [{ type: 'text', text: 'a' }], source: { kind: 'user' } }, surfaceOp: 'append' }
}
