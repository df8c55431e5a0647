/** From arguments to exit code: the boundary where errors become words and numbers. */

import { isHarnessError } from '@deepseek-ai/dsh-errors'
import { describeSessionError, EXIT, exitCodeOfError, type ExitCode, type Terminal } from '@deepseek-ai/dsh-front-door'
import { stripControls } from '@deepseek-ai/dsh-text'
import { parseCommandLine, scriptFormat, type CommandLine } from '@deepseek-ai/dsh-command-line'
import { endProcess, watchProcess, type Output } from './process-end.ts'
import type { OnFailure } from './run-for-script.ts'
import { useStoredKey } from './use-stored-key.ts'
import { version } from './version.ts'

/** Never rejects; ends the process. */
export async function runCli(args: readonly string[]): Promise<void> {
  const { stdout, stderr } = process
  const output = watchProcess()
  // Looked at only by those who read it: it loads 4 ms of Node.
  const terminal: Terminal = { get stdin() { return process.stdin }, stdout, stderr }
  const format = scriptFormat(args)
  const code = format === undefined ? await codeOf({ args, terminal, output }) : await (await import('./run-for-script.ts')).runForScript(format, terminal, (reserved, onFailure) => {
    output.lastWords = onFailure
    return codeOf({ args, terminal: reserved, output, onFailure })
  })
  await endProcess(code, output)
}

interface Call {
  args: readonly string[]
  terminal: Terminal
  output: Output
  onFailure?: OnFailure
}

async function codeOf({ args, terminal, output, onFailure }: Call): Promise<ExitCode> {
  try {
    const line = parseCommandLine(args)
    // A run tells what is wrong with it where its other notices are told.
    if (line.command !== 'run' && line.command !== 'version' && line.command !== 'help' && line.command !== 'completion' && line.command !== 'auth' && !line.acp?.setup) useStoredKey(process.env, message => void terminal.stderr.write(message))
    return await dispatch(line, terminal, output)
  } catch (error) {
    const message = stripControls(describeFailure(error))
    terminal.stderr.write(`${message}\n`)
    await onFailure?.(error, message)
    return exitCodeOfError(error)
  }
}

async function dispatch(line: CommandLine, terminal: Terminal, output: Output): Promise<ExitCode> {
  switch (line.command) {
    case 'version':
      terminal.stdout.write(`${version}\n`)
      return EXIT.completed
    case 'help':
      terminal.stdout.write((await import('@deepseek-ai/dsh-command-line/help')).renderHelp(line.topic))
      return EXIT.completed
    case 'completion':
      terminal.stdout.write((await import('@deepseek-ai/dsh-command-line/completion')).renderCompletion(line.words[0]))
      return EXIT.completed
    case 'explain':
      return await (await import('./explain-command.ts')).explainCommand(line, terminal)
    case 'doctor':
      return await (await import('./doctor-command.ts')).doctorCommand(line, terminal)
    case 'sessions':
    case 'replay':
      return await (await import('./sessions-command.ts')).runSessionsCommand(line, terminal)
    case 'models':
      return await (await import('./models-command.ts')).modelsCommand(line, terminal)
    case 'trust':
      return await (await import('./project-command.ts')).runTrustCommand(line, terminal)
    case 'init':
      return (await import('./project-command.ts')).runInitCommand(line, terminal)
    case 'acp':
      return await (await import('./acp-command.ts')).acpCommand(line, terminal)
    case 'auth':
      return await (await import('./auth-command.ts')).authCommand(line, terminal)
    case 'run':
      return await (await import('./run-command.ts')).runCommand(line, terminal, output)
  }
}

function describeFailure(error: unknown): string {
  if (isHarnessError(error) && error.code === 'USAGE') return `dsh: ${error.message}${error.name === 'UsageError' ? '\nTry dsh --help.' : ''}`
  if (exitCodeOfError(error) === EXIT.usage) return (error as Error).message
  const trace = process.env['DSH_DEBUG'] && error instanceof Error ? `\n${error.stack}` : ''
  return `dsh: ${describeSessionError(error)}${trace}`
}
