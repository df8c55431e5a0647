/** Gives the model one tool, `bash`, over `ctx.bash`. */

import type { Context } from 'cordis'
import type { BashRunResult, BashShell } from '@deepseek-ai/dsh-bash'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import { redactValues, secretValues } from '@deepseek-ai/dsh-process-env'
import { outside } from '@deepseek-ai/dsh-scope'
import { defineTool, text, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { LiveOutput } from './live-output.ts'
import { presentCall, presentResult } from './present.ts'
import { renderResult } from './render-result.ts'

export const name = 'tool-bash'
export const inject = ['tools', 'bash']

export function apply(ctx: Context): void {
  ctx.tools.register(bashTool(ctx, secretValues(process.env)))
}

/** `secrets` are taken out of the output, wherever the command found them. */
function bashTool(ctx: Context, secrets: readonly string[]): ToolDefinition {
  const { bash } = ctx
  const { limits } = bash
  return defineTool({
    name: 'bash',
    description: describeTool(bash.shell),
    kind: 'execute',
    concurrency: 'exclusive',
    parameters: {
      command: { type: 'string', required: true, description: 'The command to run.' },
      description: { type: 'string', description: 'What it does, in 5 to 10 words, for the user.' },
      timeoutMs: { type: 'integer', minimum: 1, description: `Time limit in milliseconds; default ${limits.timeoutMs}, at most ${limits.maxTimeoutMs}.` },
      workdir: { type: 'string', description: 'Directory to run in; default: the working directory.' },
    },
    async execute({ command, timeoutMs, workdir }, { cwd, signal, report, callId, agent }) {
      const spec = bash.resolve({ command, cwd, ...(timeoutMs !== undefined && { timeoutMs }), ...(workdir !== undefined && { workdir }) })
      using live = report && new LiveOutput(output => report(redactValues(output, secrets)))
      const run = (): Promise<BashRunResult> => bash.run(spec, signal, live && (output => live.push(output)))
      const caller = { callId, signal, ...(agent && { sessionId: agent.session.id }) }
      const result = redact(await ctx.root.waterfall(agent?.scope ?? outside, 'bash/run', spec, caller, run), secrets)
      return { content: [text(renderResult(result, spec.workdir))], meta: metaOf(result) }
    },
    presentCall,
    presentResult,
  })
}

function describeTool(shell: BashShell | undefined): string {
  const dialect = shell?.dialect === 'sh' ? ' This system has no bash: the shell is POSIX sh, so use no bash syntax.' : ''
  return `Run a shell command and get its output and exit code.${dialect} Each call is a fresh shell: directory and variables do not carry over. There is no terminal and no input, so nothing can prompt, page or open an editor (set GIT_EDITOR yourself where git wants one). Of long output you get the end and a file with all of it. A process started with & runs on until the session ends; send its output to a file.`
}

function redact(result: BashRunResult, secrets: readonly string[]): BashRunResult {
  const { stdout, stderr } = result
  return { ...result, stdout: { ...stdout, text: redactValues(stdout.text, secrets) }, stderr: { ...stderr, text: redactValues(stderr.text, secrets) } }
}

/** What programs read of a result: `exitCode`, `signal`, `timedOut`, `truncated`, `stillRunning`, and where cut output is. */
function metaOf({ exitCode, signal, timedOut, stillRunning, stdout, stderr }: BashRunResult): JsonObject {
  const [spillPath, second] = [stdout.spillPath, stderr.spillPath].filter(path => path !== undefined)
  return {
    exitCode,
    signal,
    timedOut,
    truncated: stdout.truncated || stderr.truncated,
    stillRunning,
    ...(spillPath !== undefined && { spillPath }),
    ...(second !== undefined && { stderrSpillPath: second }),
  }
}
