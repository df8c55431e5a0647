import { readFile, stat } from 'node:fs/promises'
import { projectName } from '@deepseek-ai/dsh-session-persistence'
import { describe, expect, it } from 'vitest'
import { Config } from '../src/index.ts'
import { ProjectRules } from '../src/project-rules.ts'
import { policyBench } from './policy-bench.ts'

const NOTE = { path: '/of/me/work', session: 's1', now: new Date('2026-12-01T09:30:00.123Z') }

describe('a rule that is none', () => {
  it('is an error with its place, never a rule less', () => {
    expect(Config['~standard'].validate({ deny: ['bash(rm *)', 'raed(x)'], allow: ['bash('] })).toEqual({
      issues: [
        { message: 'deny: "raed(x)" is no rule: raed takes no pattern; did you mean read(x)?', path: ['deny', '1'] },
        { message: expect.stringMatching(/^allow: "bash\(" is no rule/) as string, path: ['allow', '0'] },
      ],
    })
    expect(Config['~standard'].validate({ deny: 'bash' })).toHaveProperty('issues')
  })
})

describe('a rule that can never hold', () => {
  it('is told in the list, with what was meant', async () => {
    await using bench = await policyBench({
      deny: ['bahs', 'mcp__git', 'bash(git push *)', 'write'],
      ask: ['bash(git push --force *)', 'bash(curl * | sh)'],
      allow: ['bash(npm test)', 'bash(npm test)', 'write(./**)', 'mcp__later__x', 'bash(git push)', 'edit'],
    })
    const idle = (await bench.rules()).flatMap(({ text, source, idle: why }) => (why === undefined ? [] : [`${source} ${text}: ${why}`]))

    expect(idle).toEqual([
      'permission-rules.deny[0] bahs: there is no tool bahs; did you mean bash?',
      'permission-rules.deny[1] mcp__git: it names a server, not a tool; write mcp__git__* for all of its tools',
      'permission-rules.ask[0] bash(git push --force *): bash(git push *) (permission-rules.deny[2]) is tried first: deny over ask over allow',
      'permission-rules.ask[1] bash(curl * | sh): a pattern is about one command, and | stands between commands or files',
      'permission-rules.allow[1] bash(npm test): bash(npm test) (permission-rules.allow[0]) says the same before it',
      'permission-rules.allow[2] write(./**): write (permission-rules.deny[3]) is tried first: deny over ask over allow',
      'permission-rules.allow[4] bash(git push): bash(git push *) (permission-rules.deny[2]) is tried first: deny over ask over allow',
    ])
  })
})

describe('what is allowed for a project', () => {
  it('is kept as it was shown, for that project, in a private file that can be read', async () => {
    await using bench = await policyBench()
    const project = projectName(bench.workspace.path)
    const kept = new ProjectRules(bench.kept.resolve('p'), () => undefined)
    await kept.add(project, ['bash(npm test)', 'bash(echo "a \\* b")'], NOTE)
    await kept.add(project, ['bash(npm test)', 'write(./out.txt)'], { ...NOTE, session: 's2' })

    expect(await readFile(kept.fileOf(project), 'utf8')).toBe(String.raw`# What was allowed for /of/me/work, one rule a line. A line that is removed holds no more.
- "bash(npm test)" # 2026-12-01T09:30:00Z, session s1
- "bash(echo \"a \\* b\")" # 2026-12-01T09:30:00Z, session s1
- "write(./out.txt)" # 2026-12-01T09:30:00Z, session s2
`)
    expect([(await stat(kept.fileOf(project))).mode & 0o777, (await stat(bench.kept.resolve('p'))).mode & 0o777]).toEqual([0o600, 0o700])
    const again = new ProjectRules(bench.kept.resolve('p'), () => undefined)
    expect((await again.of(project)).map(rule => [rule.text, rule.source()])).toEqual([
      ['bash(npm test)', `${kept.fileOf(project)}:2`], ['bash(echo "a \\* b")', `${kept.fileOf(project)}:3`], ['write(./out.txt)', `${kept.fileOf(project)}:4`],
    ])
    expect(await again.of(projectName('/elsewhere'))).toEqual([])
  })

  it('holds for the sessions of the project and no others, with its place', async () => {
    await using bench = await policyBench()
    const file = `${projectName(bench.workspace.path)}.yml`
    await bench.kept.write(file, '- bash(npm test)\n')

    expect(await bench.line('npm test')).toMatchObject({ verdict: 'allow', rule: { action: 'allow', text: 'bash(npm test)', source: `${bench.kept.resolve(file)}:1` } })
    expect((await bench.judge('bash', { command: 'npm test' }, { cwd: bench.kept.path })).verdict).toBe('ask')
  })

  it('ends when its line is removed, and something else cannot add to it while the program runs', async () => {
    await using bench = await policyBench()
    const file = `${projectName(bench.workspace.path)}.yml`
    await bench.kept.write(file, '- bash(npm test)\n- bash(npm ci)\n')
    expect((await bench.line('npm test')).verdict).toBe('allow')
    await bench.kept.write(file, '- bash(npm ci)\n- bash(npm publish)\n- bash\n')

    expect([(await bench.line('npm test')).verdict, (await bench.line('npm ci')).verdict, (await bench.line('npm publish')).verdict]).toEqual(['ask', 'allow', 'ask'])
  })

  it.each([
    ['- "bash(npm test)"\n- "bash(', /:2: a double quote is not closed/],
    ['- bash(npm test)\n- bash(\n', /:2: "bash\(" is no rule/],
    ['bash: [npm test]\n', /:1: a list of rules is expected/],
    ['- bash(npm test)\n- {a: b}\n', /:2: a rule is text/],
  ])('does not hold at all while its file is broken, which is told: %j', async (text, message) => {
    await using bench = await policyBench()
    await bench.kept.write(`${projectName(bench.workspace.path)}.yml`, text)

    expect((await bench.line('npm test')).verdict).toBe('ask')
    expect(bench.log).toEqual([{ type: 'warn', text: expect.stringMatching(message) as string }])
  })

  it('goes on below a last line without an end, and through no link', async () => {
    await using bench = await policyBench()
    const kept = new ProjectRules(bench.kept.path, () => undefined)
    await bench.kept.write('p.yml', '- bash(npm ci)')
    await kept.add('p', ['bash(npm test)'], NOTE)
    expect((await kept.of('p')).map(rule => rule.text)).toEqual(['bash(npm ci)', 'bash(npm test)'])
  })
})
