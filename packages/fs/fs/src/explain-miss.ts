/** Says why a text is not in a file, as far as that can be seen: what the model needs to make its next try the right one. Pure. */

import { clipEnd } from '@deepseek-ai/dsh-text'
import { hasGutter } from './gutter.ts'

/** In a longer file only the cheap reasons are looked for. In UTF-16 units. */
const MOST_TEXT = 4_000_000
const MOST_SHOWN = 160

const MISSING = 'the old text is not in the file'

/** One or two sentences. */
export function explainMiss(text: string, needle: string): string {
  if (text === '') return `${MISSING}: the file is empty; use write to fill it`
  const lines = needle.split('\n')
  if (lines.filter(line => line !== '').every(hasGutter)) return `${MISSING}: it begins every line with a line number as the read view shows it; give the text without the numbers`
  if (text.length > MOST_TEXT) return `${MISSING}; read the part that you want to change again and copy it exactly`
  const reason = finalNewline(text, needle) ?? escaped(text, needle) ?? typographic(text, needle) ?? whitespace(text, needle) ?? nearLine(text, needle)
  return reason ? `${MISSING}: ${reason}` : `${MISSING}; read the part that you want to change again and copy it exactly`
}

function finalNewline(text: string, needle: string): string | undefined {
  const bare = needle.replace(/\r?\n$/, '')
  return bare !== needle && bare !== '' && text.endsWith(bare) ? 'it ends with a line break, but the last line of the file has none; leave the line break out' : undefined
}

function escaped(text: string, needle: string): string | undefined {
  if (!/\\[nt"']/.test(needle)) return undefined
  const plain = needle.replace(/\\([nt"'])/g, (_, what: string) => (what === 'n' ? '\n' : what === 't' ? '\t' : what))
  return text.replaceAll('\r\n', '\n').includes(plain) ? 'it has escape sequences (such as \\n) where the file has the characters themselves' : undefined
}

function typographic(text: string, needle: string): string | undefined {
  const [file, wanted] = [foldTypography(text), foldTypography(needle)]
  const at = file.indexOf(wanted)
  if (at < 0) return undefined
  return `line ${lineAt(file, at)} differs from it only in typographic characters (quotes, dashes, blanks or composed letters); copy these as the file has them`
}

/** Folds line ends too, so that only the other differences are left. */
function foldTypography(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize('NFC').replace(/[\u2018\u2019\u201a\u2032]/g, "'").replace(/[\u201c\u201d\u201e\u2033]/g, '"').replace(/[\u2010-\u2015\u2212]/g, '-').replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
}

/** Where the lines are the same apart from blanks and tabs. */
function whitespace(text: string, needle: string): string | undefined {
  const fileLines = text.split(/\r?\n/)
  const wanted = needle.replace(/\r?\n$/, '').split(/\r?\n/)
  const file = fileLines.map(squash)
  const squashed = wanted.map(squash)
  const start = file.findIndex((line, i) => line === squashed[0] && squashed.every((each, k) => file[i + k] === each))
  if (start < 0 || squashed.every(line => line === '')) return undefined
  const off = wanted.findIndex((line, k) => fileLines[start + k] !== line)
  if (off < 0) return undefined
  const found = fileLines[start + off] ?? ''
  return `line ${start + off + 1} differs from it only in whitespace: the file has ${describeIndent(found)}, the old text has ${describeIndent(wanted[off] ?? '')}. The line in the file, with tabs as \\t: ${show(found)}`
}

function squash(line: string): string {
  return line.trim().replace(/[ \t]+/g, ' ')
}

function describeIndent(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
  const tabs = indent.split('\t').length - 1
  const blanks = indent.length - tabs
  const parts = [tabs > 0 && `${tabs} tab${tabs === 1 ? '' : 's'}`, blanks > 0 && `${blanks} space${blanks === 1 ? '' : 's'}`].filter(part => part !== false)
  return `${parts.join(' and ') || 'nothing'} before the text`
}

/** Where the text seems to begin, and the first line that is different there. */
function nearLine(text: string, needle: string): string | undefined {
  const file = text.split(/\r?\n/)
  const wanted = needle.split(/\r?\n/)
  const lead = wanted.findIndex(line => line.trim() !== '')
  const key = wanted[lead]?.trim()
  if (key === undefined || key.length < 3) return undefined
  const start = file.findIndex(line => line.trim() === key)
  if (start < 0) return undefined
  const off = wanted.findIndex((line, k) => k > lead && file[start + k - lead]?.trim() !== line.trim())
  if (off < 0) return undefined
  const at = start + off - lead
  const found = file[at]
  return `it begins like line ${start + 1}, but ${found === undefined ? `the file ends after line ${file.length}` : `line ${at + 1} of the file is ${show(found)}`}`
}

function show(line: string): string {
  return JSON.stringify(clipEnd(line, MOST_SHOWN))
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
