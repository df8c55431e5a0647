/**
 * What the model reads of a command. Stable text: tests pin every line of it.
 *
 *     <stdout>
 *     [stderr]
 *     <stderr>
 *     [exit code: 2]
 */

import type { BashRunResult, CollectedOutput } from '@deepseek-ai/dsh-bash'

/** `asked` is the directory that was meant; a note says so when the command ran elsewhere. */
export function renderResult(result: BashRunResult, asked: string): string {
  const stdout = renderStream('stdout', result.stdout)
  const stderr = renderStream('stderr', result.stderr)
  const output = [stdout, ...(stderr === '' ? [] : ['[stderr]', stderr])].filter(part => part !== '')
  const notes = renderNotes(result, asked)
  return [...(output.length > 0 ? output.map(endLine) : ['(no output)']), ...notes].join('\n')
}

function renderStream(name: string, output: CollectedOutput): string {
  return output.truncated ? `${renderCut(name, output)}\n${output.text}` : output.text
}

function renderCut(name: string, { text, textBytes = Buffer.byteLength(text), totalBytes, spillPath, spilledBytes, spillError }: CollectedOutput): string {
  const cut = `${name} truncated: the last ${textBytes} of ${totalBytes} bytes follow`
  if (spillPath === undefined) return `[${cut}; the rest could not be kept${spillError === undefined ? '' : `: ${spillError}`}]`
  const whole = spilledBytes === undefined || spilledBytes >= totalBytes
  return `[${cut}; ${whole ? 'full output' : `the first ${spilledBytes} bytes`}: ${spillPath}]`
}

function renderNotes({ exitCode, signal, timedOut, timeoutMs, workdir, stillRunning, leftProcesses }: BashRunResult, asked: string): string[] {
  const notes: string[] = []
  if (workdir !== asked) notes.push(`[ran in ${workdir}: ${asked} does not exist any more]`)
  if (timedOut) notes.push(`[timed out after ${timeoutMs}ms]`)
  if (signal !== null) notes.push(`[killed by signal: ${signal}]`)
  if (exitCode !== null && exitCode !== 0) notes.push(`[exit code: ${exitCode}]`)
  if (stillRunning) notes.push(renderLeft(leftProcesses))
  return notes
}

function renderLeft(processes: BashRunResult['leftProcesses']): string {
  const known = processes.filter(({ name }) => name !== '').map(({ pid, name }) => `${pid} ${name}`)
  return `[a process is still running in the background${known.length > 0 ? ` (${known.slice(0, 5).join(', ')})` : ''}; its further output is not shown]`
}

/** The next part starts on a line of its own. */
function endLine(part: string): string {
  return part.endsWith('\n') ? part.slice(0, -1) : part
}
