/** Which sed scripts and awk programs only print. */
import { describe, expect, it } from 'vitest'

import { lineKind } from './line-kind.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

describe('sed scripts', () => {
  it.each([
    'p', '1p', '$p', '1,5p', '1~2p', '/a/p', '/a/,/b/p', '/a/,+3p', '1!d', '/^$/d', 'q', '5q', '5q 1', '$!N;P;D', '=', 'n;d', 'G', 'x;p',
    's/a/b/', 's/a/b/g', 's/a/b/2p', 's|a|b|gI', 's,a\\,b,c,', 's/[[:alpha:]]//', 's/\\[a\\]/b/', 'y/abc/xyz/',
    '/a/{p;q}', '/a/{s/x/y/;p}', '/a/ { p }', '1p;2p\n3p', 's/a/b/;s/c/d/', '/a/I,/b/Id', 's/\\(a\\)/[\\1]/', 's/a/&\\n/',
  ])('%s only prints', async (script) => {
    expect(await lineKind(`sed ${quoted(script)} f`)).toBe('harmless')
  })

  it.each([
    'w P', '1w P', '/a/w P', '1,2w P', '$!w P', '{w P\n}', '/a/{w P\n}', 'p;w P', 'p\nw P', 'W P', 'e', '1e touch P', '/a/e touch P', 'e touch P',
    's/a/b/w P', 's/a/b/gw P', 's/a/b/e', 's/a/b/ge', 's/a/b/pe', 's|a|b|w P', 's/a/b/;s/c/d/w P', 's/a\\/b/c/w P', 's/[/]/g;s,/w P,x,', 's/[]/]x/w P', '/[/]/w P',
    'r a', 'a text', 'i text', 'c text', '\\,a,w P', 'b;w P', ':a;w P', 't a', '#n\nw P', 'sw a w P', 's\na\nb\nw P', 's a b w P', 'F', 'v', 'z;e', 'y/a/b/w P', 'q;w P', 'q5w P', 'l 5;w P', '}w P', '1,w P', 's/a/b', 's/a',
  ])('%j may do more', async (script) => {
    expect(await lineKind(`sed ${quoted(script)} f`)).toBe('other')
  })
})

describe('awk programs', () => {
  it.each(['{print}', '{print $1, $2}', '$1 > 5', '$1 > 5 {print}', 'NR==1 || NR==2', 'BEGIN{FS=":"} {s+=$2} END{print s}', '/a/,/b/', '{gsub(/a/,"b"); print}', '{printf "%s\\n", $1}', 'length($0) > 80 {print NR}', '{a[$1]++} END{for (k in a) print k, a[k]}'])('%s only prints', async (program) => {
    expect(await lineKind(`awk ${quoted(program)} f`)).toBe('harmless')
  })

  it.each(['{print > "P"}', '{print >> "P"}', '{print | "sh"}', 'BEGIN{system("touch P")}', 'BEGIN{"touch P" | getline}', 'BEGIN{while ((getline x < "f") > 0) print x}', '{print |& "sh"}', '@load "x"; {print}', 'BEGIN{f="sys" "tem"; @f("touch P")}', 'BEGIN{printf "x" > "P"}', '{ if ($1 > 5) print > "P" }', '"{" > 1 {print > "P"}'])('%s may do more', async (program) => {
    expect(await lineKind(`awk ${quoted(program)} f`)).toBe('other')
  })
})
