/** Real descriptors, each as `process.stdin` of a child would be: pipes, files, devices. */

import { spawn } from 'node:child_process'
import { closeSync, createReadStream, openSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readPipedInput, type PipedStream } from '../src/read-piped-input.ts'

/** The reading end of a pipe that a shell writes to. */
function pipeFrom(script: string): PipedStream {
  const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { fd } = (child.stdout as unknown as { _handle: { fd: number } })._handle
  return Object.assign(child.stdout, { fd }) as unknown as PipedStream
}

async function read(stdin: PipedStream, optional: boolean): Promise<{ text: string | undefined; givenUp: boolean[] }> {
  const givenUp: boolean[] = []
  const text = await readPipedInput(stdin, { optional, patienceMs: 800, idleMs: 800, onGivenUp: hasSome => void givenUp.push(hasSome) })
  return { text, givenUp }
}

describe('piped input', () => {
  it('is read to its end from a pipe', async () => {
    expect(await read(pipeFrom('printf "one\\n"; sleep 0.1; printf "two"'), false)).toEqual({ text: 'one\ntwo', givenUp: [] })
  })

  it('is waited for when nothing else can be the prompt', async () => {
    expect(await read(pipeFrom('sleep 0.4; printf late'), false)).toEqual({ text: 'late', givenUp: [] })
  })

  it('is given up when an optional pipe stays silent', async () => {
    expect(await read(pipeFrom('exec sleep 30'), true)).toEqual({ text: undefined, givenUp: [false] })
  })

  it('is what has come when an optional pipe falls silent without an end', async () => {
    expect(await read(pipeFrom('printf some; exec sleep 30'), true)).toEqual({ text: 'some', givenUp: [true] })
  })

  it('may come with pauses once it has begun', async () => {
    expect(await read(pipeFrom('printf a; sleep 0.2; printf b; sleep 0.2; printf c'), true)).toEqual({ text: 'abc', givenUp: [] })
  })

  it.each([['', undefined], [' \n\t', undefined], ['text', 'text']])('of a file that holds %j is %j', async (content, text) => {
    await using folder = await tempWorkspace()
    writeFileSync(folder.resolve('file'), content)
    const fd = openSync(folder.resolve('file'), 'r')
    const stream = createReadStream('', { fd }) as unknown as PipedStream
    expect(await read(Object.assign(stream, { fd }), true)).toEqual({ text, givenUp: [] })
  })

  it('is not read from a terminal, a device or a descriptor that is closed', async () => {
    const unread = new Socket() as unknown as PipedStream
    const device = openSync('/dev/null', 'r')
    expect(await read(Object.assign(unread, { isTTY: true, fd: device }), false)).toEqual({ text: undefined, givenUp: [] })
    expect(await read(Object.assign(unread, { isTTY: false, fd: device }), false)).toEqual({ text: undefined, givenUp: [] })
    closeSync(device)
    expect(await read(Object.assign(unread, { isTTY: false, fd: 987_654 }), false)).toEqual({ text: undefined, givenUp: [] })
  })

  it('is refused when it is not UTF-8, and when there is too much of it', async () => {
    await expect(read(pipeFrom("printf 'a\\xff'"), false)).rejects.toThrow('the piped input is not UTF-8 text')
    await expect(read(pipeFrom('head -c 11000000 /dev/zero'), false)).rejects.toThrow('the piped input is larger than 10 MiB')
  })

  it('keeps a character whole that two writes share', async () => {
    expect(await read(pipeFrom("printf 'gr\\xc3'; sleep 0.1; printf '\\xbcn'"), false)).toEqual({ text: 'grün', givenUp: [] })
  })
})
