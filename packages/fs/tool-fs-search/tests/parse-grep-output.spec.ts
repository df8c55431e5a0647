import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrepParser, type GrepRecord } from '../src/parse-grep-output.ts'

const match = (path: string, line: number, offset: number, text: string): string => `${path}\0${line}:${offset}:${text}\n`
const context = (path: string, line: number, offset: number, text: string): string => `${path}\0${line}-${offset}-${text}\n`

function parse(output: string | Buffer, options = {}): GrepRecord[] {
  return new GrepParser(options).push(Buffer.from(output))
}

describe('GrepParser', () => {
  it('reads matches and context', () => {
    expect(parse(match('a', 2, 4, 'x:1:y') + context('a', 3, 10, '7-7-z'))).toEqual([
      { kind: 'line', line: { path: 'a', line: 2, offset: 4, isMatch: true, text: 'x:1:y' } },
      { kind: 'line', line: { path: 'a', line: 3, offset: 10, isMatch: false, text: '7-7-z' } },
    ])
  })

  it('takes a number at the start of a line for text, unless columns were asked for', () => {
    const output = match('a', 1, 0, '12:rest')
    expect(parse(output)).toMatchObject([{ line: { offset: 0, text: '12:rest' } }])
    expect(parse(output, { columns: true })).toMatchObject([{ line: { column: 0, offset: 12, text: 'rest' } }])
  })

  it('reads notices in place of long lines', () => {
    const output = match('a', 1, 0, '[Omitted long matching line]\r') + context('a', 2, 9, '[Omitted long context line]\r')
    expect(parse(output)).toMatchObject([{ line: { text: undefined } }, { line: { text: undefined } }])
  })

  it('names binary files between other records', () => {
    expect(parse(`${match('a', 1, 0, 'x')}b: 1: binary file matches (found "\\0" byte around offset 10)\n${match('c\nd', 1, 0, 'y')}`)).toEqual([
      { kind: 'line', line: { path: 'a', line: 1, offset: 0, isMatch: true, text: 'x' } },
      { kind: 'binary', path: 'b: 1' },
      { kind: 'line', line: { path: 'c\nd', line: 1, offset: 0, isMatch: true, text: 'y' } },
    ])
  })

  it('reads the same records however the output is cut', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter(value => !/[\0\n]/.test(value))
    const text = fc.string({ unit: 'binary', maxLength: 20 }).filter(value => !/[\n\r]/.test(value))
    const record = fc.record({ path: name, line: fc.nat(), offset: fc.nat(), isMatch: fc.boolean(), text })
    fc.assert(
      fc.property(fc.array(record), fc.array(fc.nat(200)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map(({ path, line, offset, isMatch, text: value }) => (isMatch ? match : context)(path, line, offset, value)).join(''))
        const parser = new GrepParser()
        const marks = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
        const records = marks.slice(1).flatMap((end, index) => parser.push(bytes.subarray(marks[index], end)))
        expect(records).toEqual(lines.map(line => ({ kind: 'line', line })))
      }),
    )
  })
})
