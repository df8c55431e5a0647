import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SseParser, SseTooLargeError } from '../src/index.ts'

function parse(...pieces: (string | Uint8Array)[]): string[] {
  const payloads: string[] = []
  const parser = new SseParser(payload => payloads.push(payload))
  for (const piece of pieces) parser.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
  parser.end()
  return payloads
}

describe('SseParser', () => {
  it('finds nothing in an empty stream', () => {
    expect(parse()).toEqual([])
    expect(parse('')).toEqual([])
  })

  it.each([
    ['comments', ': PROCESSING\n\ndata: a\n\n: keep-alive\n\ndata: b\n\n'],
    ['no space after the colon', 'data:a\n\ndata:b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['lone CR', 'data: a\r\rdata: b\r\r'],
    ['empty data', 'data:\n\ndata: a\n\ndata: \n\ndata\n\ndata: b\n\n'],
    ['other fields', 'event: ping\nid: 1\nretry: 5\n\nevent: message\ndata: a\nid: 2\n\ndatabase: x\ndata: b\n\n'],
    ['a byte order mark', '\ufeffdata: a\n\ndata: b\n\n'],
    ['no blank line at the end', 'data: a\n\ndata: b'],
    ['blank lines between', '\n\n\ndata: a\n\n\n\ndata: b\n\n\n'],
  ])('reads two events despite %s', (_name, stream) => {
    expect(parse(stream)).toEqual(['a', 'b'])
    expect(parse(...Array.from(Buffer.from(stream), byte => Uint8Array.of(byte)))).toEqual(['a', 'b'])
  })

  it('joins the lines of one event', () => {
    expect(parse('data: {"a":\ndata: 1}\n\n')).toEqual(['{"a":\n1}'])
  })

  it('keeps a second space, which belongs to the payload', () => {
    expect(parse('data:  a\n\n')).toEqual([' a'])
  })

  it('does not see an event twice when CR and LF come in different pieces', () => {
    expect(parse('data: a\r', '\n\r', '\ndata: b\r', '\n')).toEqual(['a', 'b'])
  })

  it('does not end an event between CR and LF that come in different pieces', () => {
    expect(parse('data: {\r', '\ndata: }\r\n\r\n')).toEqual(['{\n}'])
  })

  it('puts invalid bytes out as replacement characters instead of failing', () => {
    expect(parse(Buffer.concat([Buffer.from('data: a'), Buffer.from([0xff]), Buffer.from('b\n\n')]))).toEqual(['a\ufffdb'])
  })

  it('refuses a line that does not end', () => {
    const parser = new SseParser(() => undefined, 100)
    expect(() => parser.push(Buffer.from(`data: ${'x'.repeat(200)}`))).toThrow(SseTooLargeError)
  })

  it('refuses an event of too many lines', () => {
    const parser = new SseParser(() => undefined, 100)
    expect(() => parser.push(Buffer.from('data: 0123456789\n'.repeat(20)))).toThrow(SseTooLargeError)
  })

  it('reads the same payloads however the bytes are cut', () => {
    const payload = fc.string({ unit: 'grapheme', minLength: 1 }).map(text => text.replace(/[\r\n\ufeff]/g, '.')).filter(text => !text.startsWith(' '))
    const property = fc.property(fc.array(payload), fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(40)), (payloads, eol, cuts) => {
      const bytes = Buffer.from(payloads.map(text => `: c${eol}data: ${text}${eol}${eol}`).join(''))
      const pieces: Uint8Array[] = []
      let at = 0
      for (const cut of cuts) pieces.push(bytes.subarray(at, (at += cut)))
      expect(parse(...pieces, bytes.subarray(at))).toEqual(payloads)
    })
    fc.assert(property)
  })
})
