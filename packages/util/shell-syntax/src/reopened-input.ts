/**
 * Finds lines that write to a file which they open for reading. On Linux `/dev/fd/3` opens the file
 * behind number 3 anew, so that `ls 3< a.txt > /dev/fd/3` overwrites `a.txt` without naming it as a
 * target.
 */
import type { Redirection, SimpleCommand } from './types.ts'

/** Names of open files. */
const OPEN_FILE = /^\/(?:dev\/(?:stdin|stdout|stderr|fd\/\d+)|proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/fd\/\d+)$/

/** Whether a command of the line names an open file while something is open for reading under an output's number. */
export function reopensInput(commands: readonly SimpleCommand[]): boolean {
  return commands.some(overwritesInput) || (commands.some(namesOpenFile) && commands.some(({ redirections }) => redirections.some(opensForReading)))
}

function overwritesInput({ redirections }: SimpleCommand): boolean {
  return redirections.some(({ writes, target }) => writes && /^\/dev\/(?:stdin|fd\/0)$/.test(target.text))
}

/** As a target, or as an argument: `tee /dev/fd/3`. */
function namesOpenFile({ words, redirections }: SimpleCommand): boolean {
  return redirections.some(({ writes, target }) => writes && OPEN_FILE.test(target.text)) || words.slice(1).some(({ text }) => OPEN_FILE.test(text))
}

/** Also a copy of the input under another number: `>&0`. */
function opensForReading({ operator, fd, target }: Redirection): boolean {
  if (operator === '<&' || operator === '>&') return fd !== 0 && !/^[12]-?$|^-$/.test(target.text) && !(operator === '>&' && /^[3-9]-?$/.test(target.text))
  return operator.startsWith('<') && operator !== '<>' && fd !== undefined && fd !== 0
}
