/** `dsh models`: composes, asks, and prints. */

import { boot, logToStderr } from '@deepseek-ai/dsh-composition'
import type { CommandLine } from '@deepseek-ai/dsh-command-line'
import { EXIT, type ExitCode, type Terminal } from '@deepseek-ai/dsh-front-door'
import { listModels, renderModels } from '@deepseek-ai/dsh-inspection'
import { stripControls } from '@deepseek-ai/dsh-text'
import { builtinPlugins } from './builtin-plugins.ts'
import { chooseModel } from './choose-model.ts'
import { compose } from './compose.ts'
import { hostModules } from './host-modules.ts'

/** Providers that take longer are left out. */
const PATIENCE_MS = 5000

/** Boots without a front door. What keeps a provider from being asked goes to stderr. */
export async function modelsCommand(line: CommandLine, { stdout, stderr }: Terminal): Promise<ExitCode> {
  const { plan, approve } = await compose(line, undefined, process.env)
  const { model } = chooseModel(undefined, plan, process.env)
  const running = await boot(plan, {
    builtins: builtinPlugins,
    ...(await hostModules()),
    approve,
    prepare: root => logToStderr(root, { level: line.verbosity === 'quiet' ? 0 : 2, write: text => void stderr.write(text), clean: stripControls }),
  })
  try {
    const models = await listModels(running.root, model, AbortSignal.timeout(PATIENCE_MS))
    stdout.write(line.json ? `${JSON.stringify(models, null, 2)}\n` : renderModels(models))
    return EXIT.completed
  } finally {
    await running.dispose()
  }
}
