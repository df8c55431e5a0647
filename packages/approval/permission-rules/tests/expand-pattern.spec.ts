import { expect, it } from 'vitest'
import { policyBench } from './policy-bench.ts'

const FILES = { '.env': 'x', 'secrets/key': 'x', 'src/a.ts': 'x', 'src/b.ts': 'x', '.git/config': 'x', '.git/hooks/pre-commit': 'x' }

it('asks about secrets that wildcards, braces or a number stand for, and not about others', async () => {
  await using bench = await policyBench({}, FILES)
  const lines = ['cat .e*', 'cat .en?', 'cat .{env,x}', 'cat .[e]nv', 'cat < .e*', 'head ./.env*', 'cat /proc/$PPID/environ', 'tr x y < /proc/$PPID/environ', 'ps eww', 'ps auxe', 'ps -p 1 e']
  const harmless = ['cat *', 'cat src/*.ts', 'cat src/{a,b}.ts', 'ls .e*', "grep '.e*' src/a.ts", 'cat src/[ab].ts', 'ps aux', 'ps -ef', 'ps -o pid,etime -p 1']
  for (const line of lines) expect([line, (await bench.judge('bash', { command: line })).verdict]).toEqual([line, 'ask'])
  for (const line of harmless) expect([line, (await bench.judge('bash', { command: line })).verdict]).toEqual([line, 'allow'])
})

it('holds rules about files for the names that a word stands for', async () => {
  await using bench = await policyBench({ deny: ['read(./secrets/**)'] }, FILES)
  const lines = ['cat s*/key', 'cat s*/*', 'cat secret{s,}/key', 'cat {src/a.ts,secrets/key}', 'cat [s]ecrets/k?y', 'cat < s*s/key', 'cd src && cat ../sec*/key']
  for (const line of lines) expect([line, (await bench.judge('bash', { command: line })).verdict]).toEqual([line, 'deny'])
  expect((await bench.judge('bash', { command: 'cat src/*.ts' })).verdict).toBe('allow')
})

it('asks in auto mode about protected files that a word stands for', async () => {
  await using bench = await policyBench({ mode: 'auto' }, FILES)
  const lines = ['echo x > .git/conf*', 'echo x > .g?t/hooks/pre-*', 'tee .git/hook?/pre-commit', 'cp src/a.ts .git/c*', 'cp src/a.ts .{git,x}/config', 'touch .git/{hooks,x}/y']
  for (const line of lines) expect([line, (await bench.judge('bash', { command: line })).verdict]).toEqual([line, 'ask'])
  for (const line of ['touch src/*', 'cp src/a.ts src/{c,d}', 'echo x > src/a*']) expect([line, (await bench.judge('bash', { command: line })).verdict]).toEqual([line, 'allow'])
})
