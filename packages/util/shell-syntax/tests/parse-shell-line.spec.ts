/** What is found in a line: the commands, how they come to be run, and why a line cannot be judged. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { commandText, parseShellLine } from '@deepseek-ai/dsh-shell-syntax'
import type { ParseOptions } from '@deepseek-ai/dsh-shell-syntax'

/** `text` of every command, with what runs it in front. */
async function found(line: string, options?: ParseOptions): Promise<string[]> {
  const { commands, problems } = await parseShellLine(line, options)
  return [...commands.map((command) => [...command.via, commandText(command)].join(' > ')), ...problems.map((problem) => `! ${problem}`)]
}

describe('parseShellLine', () => {
  it.each([
    ['a; b && c || d & e\nf | g |& h', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
    ['(a); { b; }; ! c; time d', ['a', 'b', 'c', 'd']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for x in $(a); do b; done; select y in z; do c; done', ['substitution > a', 'b', 'c']],
    ['case $(a) in $(b)) c;; *) d;; esac', ['substitution > a', 'substitution > b', 'c', 'd']],
    ['for ((i=$(a); i<$(b); i++)); do c; done', ['substitution > a', 'substitution > b', 'c', 'arithmetic > (( i=$(a)', 'arithmetic > (( i<$(b)']],
    ['coproc a; coproc NAME { b; }', ['a', 'b']],
    ['f() { a; }; function g { b; }; f', ['function f > a', 'function g > b', 'f']],
    ['a "x $(b "$(c)")" `d`', ['a \'x $(b "$(c)")\' `d`'.replace('\'x $(b "$(c)")\'', '"x $(b "$(c)")"'), 'substitution > b "$(c)"', 'substitution > substitution > c', 'substitution > d']],
    ['x=$(a) y=`b`', ['', 'substitution > a', 'substitution > b']],
    ['a <(b) >(c)', ['a <(b) >(c)', 'substitution > b', 'substitution > c']],
    ['a > $(b) 2> "$(c)"', ['a', 'substitution > b', 'substitution > c']],
    ['a <<< "$(b)"', ['a', 'substitution > b']],
    ['a <<E\n$(b)\nE', ['a', 'substitution > b']],
    ["a <<'E'\n$(b)\nE", ['a']],
    ['a ${x:-$(b)} ${y/$(c)/$(d)} ${z:$(e)}', ['a ${x:-$(b)} ${y/$(c)/$(d)} ${z:$(e)}', 'substitution > b', 'substitution > c', 'substitution > d', 'substitution > e', 'arithmetic > (( $(e)']],
    ['[[ -n $(a) && $(b) == $(c) ]]', ['substitution > a', 'substitution > b', 'substitution > c']],
    ['{ a; } > b', ['group > ', 'a']],
    ['a[$(b)]=1', ['', 'substitution > b', 'arithmetic > (( $(b)']],
  ])('finds every command of %s', async (line, expected) => {
    expect(await found(line)).toEqual(expected)
  })

  it.each([
    ['env -- A=1 b c', ['env -- A=1 b c', 'env > b c']],
    ['env -i -u X b', ['env -i -u X b', 'env > b']],
    ["env -S 'A=1 b c' d", ["env -S 'A=1 b c' d", 'env > b c d']],
    ['timeout -s KILL 5 nice -n 3 a b', ['timeout -s KILL 5 nice -n 3 a b', 'timeout > nice -n 3 a b', 'timeout > nice > a b']],
    ['xargs -0 -n1 -I{} a {} b', ['xargs -0 -n1 -I{} a {} b', 'xargs > a {} b']],
    ['xargs a', ['xargs a', 'xargs > a …']],
    ['find . -exec a {} \\; -execdir b {} +', ['find . -exec a {} ; -execdir b {} +', 'find -exec > a {}', 'find -execdir > b {}']],
    ['fd x -x a {}', ['fd x -x a {}', 'fd --exec > a {} …']],
    ['sudo -u me A=1 a', ['sudo -u me A=1 a', 'sudo > a']],
    ["su -c 'a; b' me", ["su -c 'a; b' me", 'su -c > a', 'su -c > b']],
    ["bash -euo pipefail -c 'a; b'", ["bash -euo pipefail -c 'a; b'", 'bash -c > a', 'bash -c > b']],
    ['bash <<E\na\nE', ['bash', 'bash -c > a']],
    ["eval a 'b; c'", ["eval a 'b; c'", 'eval > a b', 'eval > c']],
    ["trap 'a' EXIT; trap - EXIT", ['trap a EXIT', 'trap > a', 'trap - EXIT']],
    ['watch -n 1 a b', ['watch -n 1 a b', 'watch > a b']],
    ['flock -n f a b', ['flock -n f a b', 'flock > a b']],
    ['ssh -p 2 host a b', ['ssh -p 2 host a b', 'ssh > a b']],
    ['docker exec -it c a', ['docker exec -it c a', 'docker exec > a']],
    ['command -v a', ['command -v a']],
    ["git -c alias.x='!a' x", ['git -c alias.x=!a x', 'git -c > a']],
    ['command exec a', ['command exec a', 'command > exec a', 'command > exec > a']],
  ])('lists the wrapper and what it runs: %s', async (line, expected) => {
    expect(await found(line)).toEqual(expected)
  })

  it.each([
    ['\\rm', 'rm'],
    ["'r'm", 'rm'],
    ['r""m', 'rm'],
    ["$'\\x72m'", 'rm'],
    ['/usr/bin/rm', 'rm'],
    ['./rm', './rm'],
    ["echo 'a b' \"\" c\\ d", "echo 'a b' '' 'c d'"],
  ])('takes quotes and system directories off: %s', async (line, expected) => {
    expect(await found(line)).toEqual([expected])
  })

  it.each([
    'a "unterminated',
    'if a; then b',
    '$CMD a',
    'r${E}m a',
    'bash -c "$X"',
    'echo a | sh',
    'eval "$X"',
    'xargs env',
    'timeout $T a',
    "x='a[$(b)]'; echo $((x))",
    '${x@P}',
    'echo ${!x}',
    'alias a=b',
    'f() { f; }',
    'cat <<E\nno end',
    'a\u00a0b',
    'a\rb',
  ])('has a problem with %j', async (line) => {
    expect((await parseShellLine(line)).problems).not.toEqual([])
  })

  it('lists what it found beside a problem', async () => {
    expect(await found('rm x; $CMD')).toEqual(['rm x', '$CMD', '! runs a program whose name is only known when it runs: $CMD'])
  })

  it('does not trust a name that the line defines', async () => {
    const { commands } = await parseShellLine('ls() { rm x; }; ls')
    expect(commands.map(({ words }) => words[0])).toMatchObject([{ text: 'rm', known: true }, { text: 'ls', known: false }])
  })

  it('says what is known of words', async () => {
    const { commands } = await parseShellLine('a "x $y" ~/b $c d*.ts {1,2}')
    expect(commands[0]?.words.slice(1)).toEqual([
      { text: 'x $y', known: false, source: '"x $y"', prefix: 'x ', splits: false, several: false },
      { text: '~/b', known: true, source: '~/b', prefix: '~/b', splits: false, several: false, tilde: true },
      { text: '$c', known: false, source: '$c', prefix: '', splits: true, several: true },
      { text: 'd*.ts', known: false, source: 'd*.ts', prefix: 'd', splits: false, several: true },
      { text: '{1,2}', known: false, source: '{1,2}', prefix: '', splits: false, several: true },
    ])
  })

  it('tells redirections that write from those that do not', async () => {
    const { commands } = await parseShellLine('a < b > c 2>&1 >> d &> e >& f <> g >&2 2>&-')
    expect(commands[0]?.redirections.map(({ operator, target, writes }) => [operator, target.text, writes])).toEqual([
      ['<', 'b', false],
      ['>', 'c', true],
      ['>&', '1', false],
      ['>>', 'd', true],
      ['&>', 'e', true],
      ['>&', 'f', true],
      ['<>', 'g', true],
      ['>&', '2', false],
      ['>&', '-', false],
    ])
  })

  it('refuses what a plain sh reads differently, when that runs the line', async () => {
    expect(await found('a &> b c', { dialect: 'sh' })).toEqual(['a c', '! a plain sh may read it differently from bash'])
  })

  it('refuses lines that are too long or too deep', async () => {
    expect(await found('echo aaaa', { maxBytes: 8 })).toEqual(['! is longer than 8 bytes'])
    expect(await found('env env env a', { maxDepth: 3 })).toContain('! runs commands within commands more than 3 deep')
  })

  it('answers for any text, soon', async () => {
    const pieces = ['rm', ' ', '$(', ')', '`', '"', "'", '\\', '${', '}', ';', '|', '&', '<<E\n', 'E\n', '\n', '((', '))', '[[', ']]', 'if ', 'then ', 'fi', 'x=', 'bash -c ', 'eval ', 'env ', 'xargs ', '{', '>', '<', '!', '@(', '*', '#', 'a[', ']', '$x', '\u00e9']
    const line = fc.oneof(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')), fc.string({ maxLength: 200 }))
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const before = performance.now()
        await parseShellLine(text)
        expect(performance.now() - before).toBeLessThan(2_000)
      }),
      { numRuns: 500 },
    )
  })

  it.each(['(', '$(', '"$(', '${x:-', '{ ', '[', '((', 'if a; then ', '`', "eval '", 'env ', 'a=(', '! ', 'a | ', 'a[', '[['])('stays within bounds for 32,000 bytes of %s', async (piece) => {
    const before = performance.now()
    const { problems } = await parseShellLine(`rm ${piece.repeat(Math.floor(32_000 / piece.length))}`)
    expect(problems.length).toBeLessThan(20_000)
    expect(performance.now() - before).toBeLessThan(10_000)
  })
})
