/** The commands that only a screen can carry out: `/copy`, `/keys` and `/quit`. */

import type { Context } from 'cordis'
import { textOf } from '@deepseek-ai/dsh-llm'
import { renderKeys } from '@deepseek-ai/dsh-prompt-editor'
import { HarnessError } from '@deepseek-ai/dsh-errors'

export function registerOwnCommands({ commands }: Context, keys: 'emacs' | 'vi'): void {
  commands.register({ name: 'keys', description: 'what the keys do (? where nothing is typed)', run: async () => ({ kind: 'show', markdown: renderKeys(keys) }) })
  commands.register({
    name: 'quit',
    needs: 'quit',
    aliases: ['exit'],
    description: 'leave (Ctrl-D too)',
    async run(_args, { door }) {
      door.quit?.()
      return undefined
    },
  })
  commands.register({
    name: 'copy',
    needs: 'copy',
    description: 'the last answer into the clipboard, by way of the terminal',
    async run(_args, { agent, door }) {
      const answer = agent.session.settledEvents.findLast(event => event.type === 'assistant/message' && textOf(event.data.content).trim() !== '')
      if (answer?.type !== 'assistant/message') throw new HarnessError('NOTHING_TO_COPY', 'there is no answer yet')
      if (!door.copy) throw new HarnessError('NO_CLIPBOARD', 'this front door has no clipboard')
      await door.copy(textOf(answer.data.content))
      return { kind: 'show', markdown: 'Copied. (A terminal may refuse the clipboard to programs.)' }
    },
  })
}
