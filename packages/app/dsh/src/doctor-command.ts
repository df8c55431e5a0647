/** `dsh doctor`: gathers the facts, runs the checks, prints them. */

import type {} from '@deepseek-ai/dsh-approval'
import { boot } from '@deepseek-ai/dsh-composition'
import { formatPosition } from '@deepseek-ai/dsh-composition-yaml'
import { EXIT, type ExitCode, type Terminal } from '@deepseek-ai/dsh-front-door'
import { builtinPlugins } from './builtin-plugins.ts'
import { hasEndpoint } from './choose-model.ts'
import type { CommandLine } from '@deepseek-ai/dsh-command-line'
import { compose, type Composed } from './compose.ts'
import { createChecks, renderChecks, runChecks } from '@deepseek-ai/dsh-inspection'
import { hostModules } from './host-modules.ts'
import { userPaths } from './paths.ts'

const PROVIDER = 'https://api.deepseek.com'

export async function doctorCommand(line: CommandLine, { stdout }: Terminal): Promise<ExitCode> {
  const results = await doctorReport(line, stdout)
  stdout.write(line.json ? `${JSON.stringify(results, null, 2)}\n` : renderChecks(results))
  return results.some(({ state }) => state === 'fail') ? EXIT.error : EXIT.completed
}

/** Runs every check, each within its time; nothing is changed. */
export async function doctorReport(line: CommandLine, stdout: Terminal['stdout']): ReturnType<typeof runChecks> {
  const { env } = process
  const { composed, problem, permissionMode } = await tryComposition(line)
  const plan = composed?.plan
  const config = plan?.rows.find(({ id }) => id === 'llm-deepseek')?.config
  const configured = config?.['baseURL']
  return await runChecks(createChecks({
    env,
    paths: userPaths(env),
    compositionProblem: problem,
    permissionMode,
    project: composed?.project && { ...composed.project, heldBack: composed.plan.untrusted.length },
    endpoint: { baseURL: typeof configured === 'string' ? configured : env['DEEPSEEK_BASE_URL'] || PROVIDER, hasKey: plan !== undefined && hasEndpoint(plan, env) },
    terminal: { isTTY: stdout.isTTY === true, columns: stdout.columns, term: env['TERM'] },
  }))
}

/** Boots without a front door and says what is not up; a broken file is a finding here, not a failure. */
async function tryComposition(line: CommandLine): Promise<{ composed?: Composed; problem?: string; permissionMode?: string | undefined }> {
  let composed: Composed | undefined
  try {
    composed = await compose(line, undefined, process.env)
    const running = await boot(composed.plan, { builtins: builtinPlugins, ...(await hostModules()), approve: composed.approve })
    const problems = running.status().flatMap(({ problem }) => problem ?? [])
    const permissionMode = running.root.get('approval')?.policy?.defaultMode
    await running.dispose()
    return { composed, permissionMode, ...(problems.length > 0 && { problem: problems.map(({ position, message }) => `${formatPosition(position)}: ${message}`).join('; ') }) }
  } catch (error) {
    return { ...(composed && { composed }), problem: (error as Error).message.replaceAll('\n', '; ') }
  }
}
