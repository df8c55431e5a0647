import { readFile } from 'node:fs/promises'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { ProjectRules } from '../src/project-rules.ts'

const NOW = new Date('2026-12-01T09:45:00Z')
const NOTE = { path: '/of/me/work', session: 's1', now: new Date('2026-12-01T09:30:00Z') }

const complain = (message: string): void => {
  throw new Error(message)
}

it('turns the line of a rule into a comment of the same length, and it does not come back', async () => {
  await using folder = await tempWorkspace()
  const kept = new ProjectRules(folder.path, complain)
  await kept.add('p', ['bash(npm test)', 'bash(echo "ü 漢")', 'write(./out.txt)'], NOTE)
  const before = await readFile(kept.fileOf('p'))

  expect(await kept.remove('p', 'bash(echo "ü 漢")', NOW)).toBe(true)
  const after = await readFile(kept.fileOf('p'))
  expect(after).toHaveLength(before.length)
  expect(after.toString().split('\n').map(line => line.trimEnd())).toEqual([
    '# What was allowed for /of/me/work, one rule a line. A line that is removed holds no more.',
    '- "bash(npm test)" # 2026-12-01T09:30:00Z, session s1',
    '# taken back 2026-12-01T09:45:00Z',
    '- "write(./out.txt)" # 2026-12-01T09:30:00Z, session s1',
    '',
  ])
  expect((await kept.of('p')).map(({ text }) => text)).toEqual(['bash(npm test)', 'write(./out.txt)'])
  expect((await new ProjectRules(folder.path, complain).of('p')).map(({ text }) => text)).toEqual(['bash(npm test)', 'write(./out.txt)'])
  await folder.write('p.yml', '- bash(echo "ü 漢")\n')
  expect(await kept.of('p')).toEqual([])
})

it('is added again by another answer', async () => {
  await using folder = await tempWorkspace()
  const kept = new ProjectRules(folder.path, complain)
  await kept.add('p', ['bash(ls)'], NOTE)
  await kept.remove('p', 'bash(ls)', NOW)
  await kept.add('p', ['bash(ls)'], NOTE)
  expect((await kept.of('p')).map(({ text }) => text)).toEqual(['bash(ls)'])
})

it.each<[string, string, string[], boolean]>([
  ['stands there twice', '- bash(ls)\n- bash\n- "bash(ls)"\n', ['bash'], true],
  ['has no line feed behind it', '- bash\n- bash(ls)', ['bash'], true],
  ['ends with what Windows ends lines with', '- bash(ls)\r\n- bash\r\n', ['bash'], true],
  ['is shorter than the comment', '- a\n- bash(ls)\n', ['a'], true],
  ['is not there', '- bash\n', ['bash'], false],
])('takes out a rule that %s', async (_what, content, left, wasThere) => {
  await using folder = await tempWorkspace({ 'p.yml': content })
  const kept = new ProjectRules(folder.path, complain)
  expect(await kept.remove('p', 'bash(ls)', NOW)).toBe(wasThere)
  expect((await kept.of('p')).map(({ text }) => text)).toEqual(left)
})

it.each(['[bash(ls), bash]\n', '- >-\n  bash(ls)\n- bash\n', '- bash(ls)\n- >-\n  bash(ls)\n'])('changes nothing, and says so, where the rule has no line of its own: %j', async content => {
  await using folder = await tempWorkspace({ 'p.yml': content })
  const kept = new ProjectRules(folder.path, complain)
  await expect(kept.remove('p', 'bash(ls)', NOW)).rejects.toThrow(expect.objectContaining({ code: 'RULE_NOT_ALONE', message: expect.stringContaining('take it out there by hand') as string }))
  expect(await folder.read('p.yml')).toBe(content)
  expect((await kept.of('p')).some(({ text }) => text === 'bash(ls)')).toBe(true)
})

it('has nothing to take out where there is no file', async () => {
  await using folder = await tempWorkspace()
  expect(await new ProjectRules(folder.path, complain).remove('p', 'bash(ls)', NOW)).toBe(false)
})
