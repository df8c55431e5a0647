import { COMMANDS } from '@deepseek-ai/dsh-shell-commands/commands'
import { describe, expect, it } from 'vitest'
import { policyBench } from './policy-bench.ts'

/** Verdicts of lines under rules, in mode ask. */
async function verdicts(config: { allow?: string[]; ask?: string[]; deny?: string[]; mode?: 'auto' | 'read-only' }, lines: readonly string[]): Promise<Record<string, string>> {
  await using bench = await policyBench(config, { 'a.txt': 'x' })
  const found: Record<string, string> = {}
  for (const line of lines) found[line] = (await bench.line(line)).verdict
  return found
}

function all(verdict: string, lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map(line => [line, verdict]))
}

describe('an allowance', () => {
  it('holds for its command, however it is written, and for nothing that is tied to it', async () => {
    const same = ['npm test', 'npm  test', "'npm' test", 'npm "test"', 'npm test 2>&1', 'npm test > /dev/null', '/usr/bin/npm test', 'npm test && npm test', 'npm test | cat', 'CI=1 npm test', 'if true; then npm test; fi']
    const other = ['npm test; touch P', 'npm test && touch P', 'npm test | tee P', 'npm test & touch P', 'npm test\ntouch P', 'npm test `touch P`', 'npm test $(touch P)', 'npm test <(touch P)', 'npm testX', 'npm test > P', 'npm test x', './npm test', '/tmp/npm test', 'npm\\ test', '"npm test"', 'PATH=. npm test', 'NODE_OPTIONS="-r ./x" npm test', 'LD_PRELOAD=x npm test', 'sudo npm test', 'env npm test', 'npm test <<< "$(touch P)"', 'npm $T', 'n$X test', 'npm test && $(echo rm) x']

    expect(await verdicts({ allow: ['bash(npm test)'] }, [...same, ...other])).toEqual({ ...all('allow', same), ...all('ask', other) })
  })

  it('that ends in a star takes the command alone, and no longer word', async () => {
    expect(await verdicts({ allow: ['bash(npm run *)', 'bash(make:*)'] }, ['npm run', 'npm run x --y', 'npm runx', 'make', 'make all', 'makefile'])).toEqual({
      'npm run': 'allow', 'npm run x --y': 'allow', 'npm runx': 'ask', make: 'allow', 'make all': 'allow', makefile: 'ask',
    })
  })

  it('of everything does not hold for what destroys', async () => {
    const losing = COMMANDS.filter(({ kind }) => kind === 'destructive').map(({ line }) => line)
    const unparsable = COMMANDS.filter(({ kind }) => kind === 'unparsable').map(({ line }) => line)
    for (const allow of [['bash'], ['bash(*)'], ['*'], ['bash(git *)', 'bash(rm*)', 'bash(sudo *)', 'bash(find *)', 'bash(* *)']]) {
      const found = await verdicts({ allow }, [...losing, ...unparsable])
      const wide = Object.entries(found).filter(([line, verdict]) => verdict === 'allow' && !(allow.includes('bash(sudo *)') && /^sudo /.test(line)))
      expect([allow, wide]).toEqual([allow, []])
    }
  }, 60_000)

  it('that names what destroys holds for that', async () => {
    const allow = ['bash(git push --force *)', 'bash(rm -rf build)']
    const named = ['git push --force', 'git push --force origin main', 'rm -rf build', '/bin/rm -rf build', '\\rm -rf build']
    const other = ['git push -f', 'git push origin --force', 'rm -rf build x', 'rm -rf .', 'rm build', 'sudo rm -rf build', 'rm -rf build; rm x']

    expect(await verdicts({ allow }, [...named, ...other])).toEqual({ ...all('allow', named), ...all('ask', other) })
  })

  it('of a wrapper holds for what it runs, and one of what it runs does not hold for the wrapper', async () => {
    expect(await verdicts({ allow: ['bash(timeout 5 npm test)', 'bash(xargs touch)', 'bash(npm ci)'] }, ['timeout 5 npm test', 'timeout 9 npm test', 'echo a | xargs touch', 'echo a | xargs rm', 'timeout 5 npm ci', "bash -c 'npm ci'", 'npm ci'])).toEqual({
      'timeout 5 npm test': 'allow', 'timeout 9 npm test': 'ask', 'echo a | xargs touch': 'ask', 'echo a | xargs rm': 'ask', 'timeout 5 npm ci': 'ask', "bash -c 'npm ci'": 'ask', 'npm ci': 'allow',
    })
  })

  it('does not hold in a session that only reads', async () => {
    expect(await verdicts({ mode: 'read-only', allow: ['bash', 'bash(npm test)'] }, ['npm test', 'git status', 'ls > out'])).toEqual({ 'npm test': 'deny', 'git status': 'allow', 'ls > out': 'deny' })
  })

  it('writes by redirection only where the file may be written', async () => {
    expect(await verdicts({ allow: ['bash(npm test)', 'write(./out/**)'] }, ['npm test > out/log', 'npm test > log', 'npm test > out/../log', 'npm test >> ../log', 'cd out && npm test > log', 'echo x > out/y'])).toEqual({
      'npm test > out/log': 'allow', 'npm test > log': 'ask', 'npm test > out/../log': 'ask', 'npm test >> ../log': 'ask', 'cd out && npm test > log': 'ask', 'echo x > out/y': 'allow',
    })
  })
})

describe('a refusal', () => {
  it('holds wherever its command stands, and for every way to run it', async () => {
    const lines = ['rm x', 'ls; rm x', 'ls && rm x', 'ls | rm x', '(rm x)', '{ rm x; }', 'if :; then rm x; fi', 'echo $(rm x)', 'cat <(rm x)', 'eval rm x', "bash -c 'rm x'", 'env rm x', 'xargs rm', 'find . -exec rm {} \\;', 'command rm x', '\\rm x', "'r'm x", '/bin/rm x', '/usr/bin/rm x', 'sudo rm x', 'sudo -u me nice rm x', 'X=1 rm x', 'f() { rm x; }; f', 'timeout 5 rm x', 'rm x > /dev/null', 'rm', 'nohup rm x &']

    expect(await verdicts({ deny: ['bash(rm *)'], allow: ['bash', 'bash(rm x)', 'bash(rm *)'], mode: 'auto' }, lines)).toEqual(all('deny', lines))
  })

  it('goes before a question, and a question before an allowance, whatever their order', async () => {
    expect(await verdicts({ allow: ['bash(npm test)', 'bash(npm ci)', 'bash(npm run x)'], ask: ['bash(npm ci)', 'bash(npm run *)'], deny: ['bash(npm run x)'] }, ['npm test', 'npm ci', 'npm run x'])).toEqual({ 'npm test': 'allow', 'npm ci': 'ask', 'npm run x': 'deny' })
  })

  it('that may or may not hold, because a word is only known later, is a question even in auto mode', async () => {
    expect(await verdicts({ deny: ['bash(git push *)'], mode: 'auto' }, ['git $C origin', 'git pu?h origin', 'git log $C', 'git push'])).toEqual({ 'git $C origin': 'ask', 'git pu?h origin': 'ask', 'git log $C': 'allow', 'git push': 'deny' })
  })

  it('of every command holds in every mode, for harmless ones too', async () => {
    expect(await verdicts({ deny: ['bash'] }, ['ls', 'npm test'])).toEqual({ ls: 'deny', 'npm test': 'deny' })
  })
})

describe('a file rule', () => {
  it('holds for what commands read and write', async () => {
    const config = { deny: ['read(./secrets/**)', 'edit(./locked/**)'], mode: 'auto' as const }
    expect(await verdicts(config, ['cat secrets/a', 'cat ./x/../secrets/a', 'cat < secrets/a', 'cd secrets && cat a', 'grep -r x secrets/', 'head --lines=1 secrets/a', 'cat a.txt', 'echo x > locked/a', 'tee locked/a', 'cp a.txt locked/a', 'cd locked && touch a', 'cp a.txt b.txt'])).toEqual({
      'cat secrets/a': 'deny', 'cat ./x/../secrets/a': 'deny', 'cat < secrets/a': 'deny', 'cd secrets && cat a': 'deny', 'grep -r x secrets/': 'deny', 'head --lines=1 secrets/a': 'deny', 'cat a.txt': 'allow', 'echo x > locked/a': 'deny', 'tee locked/a': 'deny', 'cp a.txt locked/a': 'deny', 'cd locked && touch a': 'deny', 'cp a.txt b.txt': 'allow',
    })
  })

  it('is not needed for what is known to be secret or to run something, which is asked in auto mode too', async () => {
    await using bench = await policyBench({ mode: 'auto' }, { '.env': 'x', 'credentials.ts': 'x' })
    const found: Record<string, string> = {}
    const lines = ['cat .env', 'cat < .env', 'ls -la .env', 'cat .env.example', 'grep credentials .', 'echo x > .git/hooks/pre-commit', 'tee .GIT/config < a', 'sed -i s/a/b/ ~/.bashrc', 'cp a ~/.ssh/authorized_keys', 'touch .dsh/settings.yml', 'echo x > /tmp/out', 'cd .git/hooks && touch pre-commit', 'echo x > out']
    for (const line of lines) found[line] = (await bench.line(line)).verdict

    expect(found).toEqual({ ...all('ask', lines), 'ls -la .env': 'allow', 'cat .env.example': 'allow', 'grep credentials .': 'allow', 'echo x > out': 'allow' })
  })
})

it('asks about a write whose file cannot be found out, and minds no other word', async () => {
  const long = 'x'.repeat(300)
  expect(await verdicts({ mode: 'auto' }, [`touch ${long}`, 'touch a.txt/b', `cat ${long} a.txt/b`, "echo '' > ''"])).toEqual({ [`touch ${long}`]: 'ask', 'touch a.txt/b': 'ask', [`cat ${long} a.txt/b`]: 'allow', "echo '' > ''": 'allow' })
})

describe('what is offered to be remembered', () => {
  it.each<[string, string[]]>([
    ['npm test', ['bash(npm test)']],
    ['ls && npm test && npm run x', ['bash(npm test)', 'bash(npm run x)']],
    ['git commit -m "a (b) * c"', ['bash(git commit *)']],
    ['git add .', ['bash(git add *)']],
    ['git tag "a*b"', ['bash(git tag a\\*b)']],
    ['node -e "x [1] \\\\ y"', ['bash(node -e "x [1] \\\\ y")']],
    ['timeout 5 npm test', ['bash(timeout 5 npm test)']],
    ['echo x > out.txt', ['write(./out.txt)']],
    ['npm test > out.txt', ['write(./out.txt)', 'bash(npm test)']],
    ['rm -rf build', []],
    ['npm test && rm -rf build', []],
    ['npm test $(touch P)', []],
    ['npm run $X', []],
    ['echo $((', []],
    ['PATH=. npm test', []],
    ['git push --force', []],
    ['echo x > ../out', []],
    [`node -e "${'x'.repeat(400)}"`, []],
  ])('of %s is %j', async (line, rules) => {
    await using bench = await policyBench({}, { 'a.txt': 'x' })
    const { verdict, remember } = await bench.line(line)
    expect({ verdict, remember }).toEqual({ verdict: 'ask', remember: rules })
  })

  it('allows that line and nothing near it', async () => {
    const lines = ['npm test', 'git tag "a*b"', 'node -e "x [1] \\\\ y"', "echo 'a:*' | tee b", 'npm test > out.txt']
    const near = ['npm publish', 'npm run x', 'npm test x', 'git tag ab', 'git tag axb', 'node -e "x 1 y"', 'tee c', 'npm test > out2.txt']
    for (const line of lines) {
      await using first = await policyBench()
      const { remember } = await first.line(line)
      const allow = [...remember]
      expect(await verdicts({ allow }, [line, ...near])).toEqual({ [line]: 'allow', ...all('ask', near) })
    }
  })
})
