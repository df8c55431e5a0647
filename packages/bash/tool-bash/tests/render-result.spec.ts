import { expect, it } from 'vitest'
import type { BashRunResult, CollectedOutput } from '@deepseek-ai/dsh-bash'
import { renderResult } from '../src/index.ts'

const output = (text: string, rest: Partial<CollectedOutput> = {}): CollectedOutput => ({ text, truncated: false, totalBytes: Buffer.byteLength(text), ...rest })

function render(result: Partial<BashRunResult>): string {
  const ended: BashRunResult = { exitCode: 0, signal: null, timedOut: false, timeoutMs: 5_000, workdir: '/w', stdout: output(''), stderr: output(''), stillRunning: false, leftProcesses: [] }
  return renderResult({ ...ended, ...result }, '/w')
}

it('shows plain output as it is, but for the line end', () => {
  expect(render({ stdout: output('  a\n\nb\n\n') })).toBe('  a\n\nb\n')
})

it('says when there was none', () => {
  expect(render({})).toBe('(no output)')
  expect(render({ exitCode: 1 })).toBe('(no output)\n[exit code: 1]')
})

it('puts stderr after stdout and the exit code last', () => {
  expect(render({ stdout: output('out'), stderr: output('err\n'), exitCode: 2 })).toBe('out\n[stderr]\nerr\n[exit code: 2]')
  expect(render({ stderr: output('err\n') })).toBe('[stderr]\nerr')
})

it('tells a timeout apart from the signal or the code it ended with', () => {
  expect(render({ stdout: output('part'), timedOut: true, exitCode: null, signal: 'SIGKILL' })).toBe('part\n[timed out after 5000ms]\n[killed by signal: SIGKILL]')
  expect(render({ timedOut: true })).toBe('(no output)\n[timed out after 5000ms]')
})

it('names the file that holds what was cut', () => {
  const cut = { truncated: true, totalBytes: 90, spillPath: '/t/1.log', spilledBytes: 90 }
  expect(render({ stdout: output('end\n', cut) })).toBe('[stdout truncated: the last 4 of 90 bytes follow; full output: /t/1.log]\nend')
  expect(render({ stderr: output('end\n', { ...cut, spilledBytes: 50 }) })).toBe('[stderr]\n[stderr truncated: the last 4 of 90 bytes follow; the first 50 bytes: /t/1.log]\nend')
  expect(render({ stdout: output('\ufffd\n', { ...cut, textBytes: 2 }) })).toContain('the last 2 of 90 bytes follow')
  expect(render({ stdout: output('end\n', { truncated: true, totalBytes: 90, spillError: 'disk full' }) })).toBe('[stdout truncated: the last 4 of 90 bytes follow; the rest could not be kept: disk full]\nend')
})

it('says where the command ran when its directory was gone', () => {
  expect(render({ stdout: output('hi\n'), workdir: '/' })).toBe('hi\n[ran in /: /w does not exist any more]')
})

it('says what was left running', () => {
  const leftProcesses = Array.from({ length: 7 }, (_, i) => ({ pid: i + 1, name: 'node' }))
  expect(render({ stillRunning: true, leftProcesses: leftProcesses.slice(0, 1) })).toBe('(no output)\n[a process is still running in the background (1 node); its further output is not shown]')
  expect(render({ stillRunning: true, leftProcesses })).toContain('(1 node, 2 node, 3 node, 4 node, 5 node)')
  expect(render({ stillRunning: true })).toBe('(no output)\n[a process is still running in the background; its further output is not shown]')
})
