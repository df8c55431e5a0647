/** Takes a rule out of a file of them, in place: each line that holds it becomes a comment of the same length, so that what another program appends meanwhile stays. */

import { constants, open, type FileHandle } from 'node:fs/promises'
import { HarnessError } from '@deepseek-ai/dsh-errors'

/** A line of a file: where its bytes begin, and what they say. */
interface Line {
  number: number
  offset: number
  text: string
}

/** Does nothing when it is gone already. Throws `RULE_NOT_ALONE`, and changes nothing, when a line says more than the rule; rejects as the file system does. */
export async function takeOutRule(file: string, rule: string, now: Date): Promise<void> {
  const handle = await open(file, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    const lines = linesOf(await handle.readFile())
    const found: Line[] = []
    for (const line of lines) if (await isRule(line.text, rule)) found.push(line)
    const changed = found.reduce((rest, { number }) => rest.with(number - 1, ''), lines.map(({ text }) => text))
    if (await holds(changed.join('\n'), rule)) {
      throw new HarnessError('RULE_NOT_ALONE', `${rule} does not stand in a line of its own in ${file}; take it out there by hand`)
    }
    if (found.length === 0) return
    for (const line of found) await blank(handle, line, `# taken back ${now.toISOString().replace(/\.\d+/, '')}`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function linesOf(content: Buffer): Line[] {
  const lines: Line[] = []
  for (let offset = 0; offset < content.length; ) {
    const feed = content.indexOf(0x0a, offset)
    const end = feed < 0 ? content.length : feed
    lines.push({ number: lines.length + 1, offset, text: content.subarray(offset, end).toString('utf8').replace(/\r$/, '') })
    offset = end + 1
  }
  return lines
}

/** Read by itself, the line is a list of this one rule. */
async function isRule(line: string, rule: string): Promise<boolean> {
  if (!/^\s*-\s/.test(line)) return false
  const items = await itemsOf(line)
  return items.length === 1 && items[0] === rule
}

async function holds(content: string, rule: string): Promise<boolean> {
  return (await itemsOf(content)).includes(rule)
}

async function itemsOf(content: string): Promise<unknown[]> {
  const { parseYaml } = await import('@deepseek-ai/dsh-composition-yaml')
  const { root } = await parseYaml(content, 'a rule')
  return root?.kind === 'list' ? root.items.map(item => (item.kind === 'scalar' ? item.value : undefined)) : []
}

async function blank(handle: FileHandle, { offset, text }: Line, words: string): Promise<void> {
  const length = Buffer.byteLength(text)
  await handle.write(words.slice(0, length).padEnd(length), offset)
}
