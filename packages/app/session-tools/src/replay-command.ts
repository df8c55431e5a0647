/** `dsh replay`: runs a recorded session again through the loop that is mounted now, and compares the logs. */

import { boot } from '@deepseek-ai/dsh-composition'
import type { Plan } from '@deepseek-ai/dsh-composition-yaml'
import { EXIT, shortId, type ExitCode } from '@deepseek-ai/dsh-front-door'
import { compareLogs, replaySession } from '@deepseek-ai/dsh-llm-replay'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { plural, stripControls } from '@deepseek-ai/dsh-text'
import type { SessionTools } from './types.ts'

/** Exit code 0 when the new log says the same as the recorded one, else 1 with the difference on stdout. Nothing is stored and no tool runs. */
export async function replayCommand(persistence: SessionPersistence, { id }: { id: string }, { plan, boot: options, terminal, signal }: SessionTools): Promise<ExitCode> {
  const stored = await persistence.load(await persistence.find(id, signal), signal)
  for (const { message } of stored.damage) terminal.stderr.write(`dsh: ${stripControls(message)}\n`)
  const running = await boot({ ...plan, rows: loopRows(plan, options.builtins) }, options)
  try {
    const { events, unplayed } = await replaySession(running.root, stored, { signal })
    const difference = await compareLogs(stored.events, events)
    if (unplayed !== undefined) terminal.stderr.write(`dsh: ${stripControls(unplayed)}\n`)
    if (difference !== undefined) {
      terminal.stdout.write(stripControls(difference))
      return EXIT.error
    }
    terminal.stderr.write(`dsh: ${shortId(stored.header.id)} replayed: ${plural(stored.events.length, 'event')}, no difference\n`)
    return EXIT.completed
  } finally {
    await running.dispose()
  }
}

/** The spine; where it leaves its loop out, also the rows that are not built in, for one of them brings another. */
function loopRows({ rows }: Plan, builtins: SessionTools['boot']['builtins']): Plan['rows'] {
  const spine = rows.find(({ id }) => id === 'agent-core')
  const bringsLoop = spine?.config?.['loop'] !== false
  return rows.filter(row => row === spine || (!bringsLoop && !row.disabled && !Object.hasOwn(builtins, row.name)))
}
