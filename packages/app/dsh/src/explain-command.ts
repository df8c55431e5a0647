/** `dsh explain`: what is composed, what runs, and where every value comes from. */

import { boot, explain, renderExplained } from '@deepseek-ai/dsh-composition'
import { EXIT, FrontDoor, type ExitCode, type RunRequest, type Terminal } from '@deepseek-ai/dsh-front-door'
import { builtinPlugins } from './builtin-plugins.ts'
import { chooseModel } from './choose-model.ts'
import { UsageError, type CommandLine } from '@deepseek-ai/dsh-command-line'
import { compose } from './compose.ts'
import { explainPermission, renderPermission } from '@deepseek-ai/dsh-inspection'
import { CONTRIBUTORS } from './explain-running.ts'
import { hostModules } from './host-modules.ts'

/** Boots the composition without ever opening the front door, so nothing is asked and nothing runs. */
export async function explainCommand(line: CommandLine, terminal: Terminal): Promise<ExitCode> {
  const [word, ...rest] = line.words
  if (word !== undefined && word !== 'permission') throw new UsageError(`dsh explain takes no argument "${word}" (a prompt that begins with "explain" goes after --)`)
  const { plan, cwd, approve, project } = await compose(line, { id: 'ui-text', name: '@deepseek-ai/dsh-ui-text', config: { mode: 'print' } }, process.env)
  const { model } = chooseModel(line.model, plan, process.env)
  const request: RunRequest = { cwd, agentOptions: { model }, verbosity: 'quiet' }
  const running = await boot(plan, { builtins: builtinPlugins, ...(await hostModules()), approve, prepare: root => void root.plugin(FrontDoor, { terminal, request }) })
  try {
    if (word === 'permission') {
      const explained = await explainPermission(running.root, rest, cwd)
      terminal.stdout.write(line.json ? `${JSON.stringify(explained, null, 2)}\n` : renderPermission(explained))
      return EXIT.completed
    }
    const effective = explain(running, { contributors: CONTRIBUTORS })
    const from = line.model === undefined ? (effective.model?.from ?? 'default') : 'command line'
    const explained = { ...effective, model: { value: model, from }, ...(project && { project: project.described }) }
    terminal.stdout.write(line.json ? `${JSON.stringify(explained, null, 2)}\n` : renderExplained(explained))
  } finally {
    await running.dispose()
  }
  return EXIT.completed
}
