/** What single commands are judged to be, the files that they write, and the reason that is given. */
import { describe, expect, it } from 'vitest'

import { classifyCommand, parseShellLine } from '@deepseek-ai/dsh-shell-commands'
import type { Classification } from '@deepseek-ai/dsh-shell-commands'

async function judged(line: string): Promise<Classification[]> {
  return (await parseShellLine(line)).commands.map(classifyCommand)
}

describe('classifyCommand', () => {
  it.each([
    ['echo x > a 2>> b', ['a', 'b']],
    ['echo x > ~/.bashrc', ['~/.bashrc']],
    ['tee -a a b', ['a', 'b']],
    ['cp -r a b c', ['c']],
    ['cp -t d a b', ['d']],
    ['mv a b', ['a', 'b']],
    ['ln -s a b', ['b']],
    ['touch -- -a', ['-a']],
    ["sed -i 's/a/b/' f g", ['f', 'g']],
    ["sed -i -e 's/a/b/' f g", ['f', 'g']],
    ['sort -o a b', ['a']],
    ['sort --output=a b', ['a']],
    ['dd if=a of=b', ['b']],
    ['find . -fprint a', ['a']],
    ['uniq a b', ['b']],
    ['curl -so a url', ['a']],
    ['git diff --output=a', ['a']],
    ['truncate -s 0 a', ['a']],
    ['chmod +x .git/hooks/pre-commit', ['.git/hooks/pre-commit']],
    ['rm -rf a b', ['a', 'b']],
  ])('names the files that are written by %s', async (line, writes) => {
    expect((await judged(line))[0]?.writes).toEqual(writes)
  })

  it.each(['echo > $X', 'tee "$X"', 'cp a "$X"', "sed -i 's/a/b/' *.ts", 'find . -fprint $X', 'rm -rf $X'])('says that the written file is not known: %s', async (line) => {
    expect((await judged(line))[0]?.writesUnknown).toBe(true)
  })

  it.each(['ls > /dev/null', 'ls 2>&1', 'ls >&2', 'cat < a', 'dd if=a of=/dev/null'])('names no file for %s', async (line) => {
    const [only] = await judged(line)
    expect([only?.writes, only?.writesUnknown]).toEqual([undefined, undefined])
  })

  it('judges a wrapper apart from what it runs', async () => {
    expect((await judged('timeout 5 rm x')).map((each) => each.class)).toEqual(['harmless', 'destructive'])
    expect((await judged('LD_PRELOAD=x env A=1 ls')).map((each) => each.class)).toEqual(['other', 'harmless'])
    expect((await judged('env LD_PRELOAD=x ls')).map((each) => each.class)).toEqual(['harmless', 'other'])
  })

  it.each([
    ['rm x', { class: 'destructive', why: 'deletes or empties files', writes: ['x'] }],
    ['ls', { class: 'harmless', why: 'only reads' }],
    ['sort -o a b', { class: 'other', why: 'has an option that is not known to only read: -o', writes: ['a'] }],
    ['find . "$X"', { class: 'other', why: 'has an argument that may turn out to be an action: "$X"' }],
    ['PATH=x ls', { class: 'other', why: 'sets PATH, which changes what programs run' }],
    ['ls > a', { class: 'other', why: 'writes to a file', writes: ['a'] }],
    ['git push -f', { class: 'destructive', why: 'overwrites or deletes branches of the remote' }],
    ['npm test', { class: 'other', why: 'is not one of the commands that are known to only read' }],
  ] as const)('gives the reason for %s', async (line, expected) => {
    expect(await judged(line)).toEqual([expected])
  })
})

describe('unknown arguments', () => {
  it.each(['ls $X', 'cat "$X"', 'grep -n "$X" $Y', 'head -n "$N" f', 'sort -k "$K" f', 'sort -- "$X"', 'sort "./$X"', 'find . -name "$X"', 'find "./$X" -type f', 'rg -- "$X"', 'git log -- "$X"', '[ -n "$X" ]', '[ $# -gt 0 ]', 'printf "%s" "$X"', 'wc -l *.ts', 'sort src/*.txt'])('are harmless where they cannot be options: %s', async (line) => {
    expect((await judged(line))[0]?.class).toBe('harmless')
  })

  it.each(['sort $X', 'sort "$X"', 'sort *.txt', 'find $X', 'find . -name $X', 'rg "$X"', 'git log "$X"', 'git log $X', '[ $X ]', 'printf "$X" a', 'date "$X"', 'uniq a*', 'sed "$X" f', 'awk "$X" f', 'sort -k $X', 'export $X', 'read $X', 'set $X'])('are not harmless where they may be: %s', async (line) => {
    expect((await judged(line))[0]?.class).toBe('other')
  })
})
