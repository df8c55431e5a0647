/** Recognises shell commands: `run X`, `$ X`, and lines that plainly are one. Pure. */

import { QUOTATION, quotationOf, unmask, valueOf, type Quoted } from './mask-quotes.ts'
import { isPathLike } from './path-words.ts'
import type { Command } from './types.ts'

const RUN = /^(?:run|execute|exec|launch|invoke|(?:use|in|call)\s+(?:(?:the\s+)?(?:bash|shell|terminal))(?:\s+tool)?(?:\s*,)?(?:\s+(?:to|with))?(?:\s+run|\s+execute)?|bash|shell|sh)\b\s*:?\s*(?:(?:(?:the|this|these)\s+)?(?:following\s+)?(?:(?:shell|bash)\s+)?(?:command|cmd)s?\b\s*:?\s*|(?:the\s+following|this|these)\s*:\s*)?/i
const PROMPT_SIGN = /^[$!]\s*(?=\S)/
const BACKGROUND = /\s+(?:in|into)\s+(?:the\s+)?background$/i
const COURTESY = /\s*,?\s+(?:and|then)\s+(?:then\s+)?(?:show|tell|give|print|report|let)\s+(?:me\s+)?(?:know\s+)?(?:the\s+|its\s+|what\s+)?(?:output|result|outcome|it|happens?|it\s+says|it\s+prints|you\s+get|came\s+out)?(?:\s+\w+)?$/i
const SHELL_FENCE = /^```(?:bash|sh|shell|zsh|console)\s*\n/
const ENGLISH = /^(?:the|a|an|my|our|your|all|every|each|this|that|these|those|it|them|some|any|both|unit|through|into|out|away|as|with|tests?$|linter$|build$|once|again)\b/i
const OUTPUT_OF = new RegExp(`^(?:show|print|display|give|tell)(?:\\s+me)?\\s+(?:the\\s+)?(?:output|result)s?\\s+of\\s+(?:running\\s+)?(${QUOTATION})$`, 'i')

/** A first word that is a program, and what must follow it for the line to be a command rather than English. */
const PROGRAMS: readonly RegExp[] = [
  /^sleep\s+\d/,
  /^(?:pwd|whoami|uname|date|env|id|hostname|df|du|ps|uptime)(?:\s+[-+/]\S*)*$/,
  /^git\s+(?:status|log|diff|show|branch|add|commit|push|pull|fetch|checkout|switch|stash|init|clone|remote|tag|blame|rev-parse|ls-files|merge|rebase|reset|restore|config|--version)\b/,
  /^(?:npm|pnpm|yarn|bun|deno|npx|cargo|pip3?|uv|poetry|docker|kubectl|gradle|mvn|bundle|composer|dotnet)\s+(?:-|[a-z][\w:-]*(?:\s|$))/,
  /^go\s+(?:build|test|run|vet|fmt|mod|version|get|install|generate)\b/,
  /^(?:node|python3?|ruby|perl|bash|sh|php)\s+(?:-\S|\S*[./]\S)/,
  /^(?:make|pytest|tsc|vitest|jest|eslint)(?:\s+(?:-\S+|[a-z][\w/.-]*))?$/,
  /^(?:echo|printf)\s+\S/,
  /^(?:mkdir|touch|rm|mv|cp|chmod|wc|sort|uniq|head|tail|sed|awk|diff|tar|unzip|curl|wget|stat|rmdir|ln)\s+\S/,
  /^(?:ls|find|grep|rg|cat|tree)\s+(?:-\S|\S+\s+-\S)/,
  /^(?:ls|find|grep|rg|cat|echo)\s[^|]*\s\|\s*\w/,
]

/** Whether text is a shell command on the face of it. */
export function looksLikeShell(text: string): boolean {
  return PROGRAMS.some(program => program.test(text))
}

export function recogniseRun(text: string, quoted: readonly Quoted[]): Command | undefined {
  const shown = OUTPUT_OF.exec(text)?.[1]
  if (shown !== undefined) return { kind: 'run', command: valueOf(shown, quoted) }
  if (PROMPT_SIGN.test(text)) return { kind: 'run', command: unmask(text.replace(PROMPT_SIGN, ''), quoted) }
  const verb = RUN.exec(text)?.[0]
  if (verb !== undefined) return afterVerb(text.slice(verb.length), quoted)
  const quotation = quotationOf(text, quoted)
  if (quotation?.style === 'tick' || quotation?.style === 'fence') return looksLikeShell(quotation.value) || SHELL_FENCE.test(quotation.raw) ? { kind: 'run', command: quotation.value.trimEnd() } : undefined
  const line = unmask(text, quoted)
  return looksLikeShell(line) && !/\b(?:to|the|please|your|should)\s+\w/.test(text) ? { kind: 'run', command: line } : undefined
}

function afterVerb(said: string, quoted: readonly Quoted[]): Command | undefined {
  const background = BACKGROUND.test(said) ? ({ background: true } as const) : undefined
  const rest = said.replace(BACKGROUND, '').replace(COURTESY, '').trim()
  if (rest === '') return { kind: 'incomplete', advice: 'Say what to run, for example: run `ls -la`.' }
  const leading = new RegExp(`^(${QUOTATION})(?:\\s+(?:command|in\\s+(?:the\\s+)?(?:shell|terminal|bash)|with\\s+bash))?$`, 'i').exec(rest)?.[1]
  const quotation = leading === undefined ? undefined : quotationOf(leading, quoted)
  if (quotation) return { kind: 'run', command: quotation.value.trimEnd(), ...background }
  if (ENGLISH.test(rest) && !looksLikeShell(unmask(rest, quoted))) return undefined
  return { kind: 'run', command: unmask(rest, quoted), ...background }
}

/** A folder is made by the shell: no tool of its own exists for it. */
export function recogniseFolder(text: string, quoted: readonly Quoted[]): Command | undefined {
  const name = /^(?:create|make|add)\s+(?:a\s+|the\s+)?(?:new\s+|empty\s+)*(?:folder|directory|dir)\s+(?:named\s+|called\s+)?(\S+)$/i.exec(text)?.[1]
  if (name === undefined) return undefined
  const path = valueOf(name, quoted)
  return { kind: 'run', command: `mkdir -p -- ${shellWord(path)}` }
}

const DELETE = /^(?:delete|remove|erase|unlink)\s+(?:the\s+)?(?:(?:file|folder|directory)\s+)?(\S+)$/i

/** Nothing is deleted on a paraphrase: the user has to write the command. */
export function recogniseDelete(text: string, quoted: readonly Quoted[]): Command | undefined {
  const target = DELETE.exec(text)?.[1]
  if (target === undefined || !isPathLike(target, quoted)) return undefined
  return { kind: 'incomplete', advice: `I delete only by a command that you write yourself, for example: run \`rm ${shellWord(valueOf(target, quoted))}\`.` }
}

function shellWord(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
