/** Runs one turn with a made-up model in a composition of its own: the first time takes many times as long as the others, and here nobody waits for it. */

import type { Plugin } from 'cordis'
import { createRoot } from 'cordis/host'
import { AgentRegistry } from '@deepseek-ai/dsh-agent'
import { LlmAdapter, LlmService, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { SessionStore, type SessionEvent } from '@deepseek-ai/dsh-session'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry } from '@deepseek-ai/dsh-tools'
import { AgentLoop } from './agent-loop.ts'

class MadeUpModel extends LlmAdapter {
  override async *stream(): AsyncIterable<StreamChunk> {
    yield { type: 'text-delta', index: 0, text: 'b' }
    yield { type: 'block-end', index: 0, block: { type: 'text', text: 'b' } }
    yield { type: 'finish', reason: { kind: 'stop' } }
  }
}

/** The log of the turn. */
export async function rehearse(): Promise<readonly SessionEvent[]> {
  const root = createRoot()
  try {
    for (const service of [LlmService, SessionStore, SystemPrompt, AgentRegistry, ToolRegistry, AgentLoop]) await root.plugin(service as Plugin)
    root.llm.registerAdapter(['made-up'], new MadeUpModel())
    // So long that whatever goes over each of its characters is compiled before it is through.
    root.systemPrompt.section({ name: 'c', order: 0, text: 'c'.repeat(20_000) })
    const { agent } = root.agents.create({ agentOptions: { model: 'made-up' } })
    agent.steer('a')
    await agent.whenIdle()
    return agent.session.events
  } finally {
    await root.fiber.dispose()
  }
}
