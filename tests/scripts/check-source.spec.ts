import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkPackageSizes, checkTree } from '../../scripts/check-source/check-tree.ts'
import { parseCode, type Problem, type Rule } from '../../scripts/check-source/code-file.ts'
import { checkAssertions, checkCatches } from '../../scripts/check-source/error-rules.ts'
import { checkRelativeImports } from '../../scripts/check-source/import-rules.ts'
import { checkHeader, checkIndex } from '../../scripts/check-source/index-rules.ts'
import { checkFileLength, checkFunctions } from '../../scripts/check-source/size-rules.ts'
import { checkModuleState } from '../../scripts/check-source/state-rules.ts'
import { checkFocus } from '../../scripts/check-source/test-rules.ts'
import { checkText } from '../../scripts/check-source/text-rules.ts'

const SOURCE = 'packages/fs/fs/src/a.ts'
const SPEC = 'packages/fs/fs/tests/a.spec.ts'

/** `line message`, the message up to its advice. */
function check(rule: Rule, text: string, path = SOURCE): string[] {
  return rule(parseCode(path, text)).map(shorten)
}

function shorten({ line, message }: Problem): string {
  return `${line} ${message.split(';')[0]}`
}

const lines = (count: number, line: string): string => `${line}\n`.repeat(count)

describe('checkFileLength', () => {
  it('counts a spec apart from other files', () => {
    expect(check(checkFileLength, lines(400, 'x'))).toEqual([])
    expect(check(checkFileLength, lines(401, 'x'))).toEqual(['401 401 lines, at most 400'])
    expect(check(checkFileLength, lines(600, 'x'), SPEC)).toEqual([])
    expect(check(checkFileLength, lines(601, 'x'), SPEC)).toEqual(['601 601 lines, at most 600'])
  })
})

describe('checkFunctions', () => {
  it('counts the lines of every form of function', () => {
    const body = lines(59, '  x()')
    expect(check(checkFunctions, `function f() {\n${lines(58, '  x()')}}\n`)).toEqual([])
    expect(check(checkFunctions, `function f() {\n${body}}\nconst g = () => {\n${body}}\nclass C {\n  m() {\n${body}  }\n  constructor() {\n${body}  }\n}\n`)).toEqual([
      '1 f has 61 lines, at most 60',
      '62 g has 61 lines, at most 60',
      '124 m has 61 lines, at most 60',
      '185 the constructor has 61 lines, at most 60',
    ])
  })

  it('lets a list of tests be as long as it is, but no test', () => {
    expect(check(checkFunctions, `describe('x', () => {\n${lines(70, "  it('y', () => {})")}})\n`, SPEC)).toEqual([])
    expect(check(checkFunctions, `it('x', () => {\n${lines(70, '  x()')}})\n`, SPEC)).toEqual(['1 this function has 72 lines, at most 60'])
    expect(check(checkFunctions, `describe('x', () => {\n${lines(70, "  it('y', () => {})")}})\n`)).toEqual(['1 this function has 72 lines, at most 60'])
  })

  it('counts parameters of what has a body, and not `this`', () => {
    expect(check(checkFunctions, 'function f(this: X, a, b, c, d) {}\ninterface I { m(a, b, c, d, e): void }\nfunction g(a, b, c, d, e) {}')).toEqual(['3 g has 5 parameters, at most 4'])
  })

  it('counts nested statements, an `else if` not, and starts again in each function', () => {
    const nest = (inner: string): string => `if (a) {\n for (const b of c) {\n  while (d) {\n   switch (e) { default:\n${inner}\n } } } }`
    expect(check(checkFunctions, `function f() {\n${nest('x()')}\n}`)).toEqual([])
    expect(check(checkFunctions, `function f() {\n${nest('try { x() } finally { y() }')}\n}`)).toEqual(['6 nested deeper than 4 levels'])
    expect(check(checkFunctions, `function f() {\n${nest('g(() => { if (x) y() })')}\n}`)).toEqual([])
    expect(check(checkFunctions, `function f() { if (a) x()\nelse if (b) x()\nelse if (c) x()\nelse if (d) x()\nelse if (e) x() }`)).toEqual([])
  })
})

describe('checkIndex', () => {
  const INDEX = 'packages/fs/fs/src/index.ts'

  it('accepts lists of names and type imports', () => {
    expect(check(checkIndex, "export { a, type B } from './a.ts'\nexport type {} from './events.ts'\nimport type {} from './c.ts'\n", INDEX)).toEqual([])
  })

  it('refuses code, stars, and more than 40 lines', () => {
    expect(check(checkIndex, "export const a = 1\nexport * from './a.ts'\nimport './b.ts'\nexport { c }\n", INDEX)).toEqual([
      '1 index.ts only re-exports',
      '2 `export *` hides what is public',
      '3 index.ts only re-exports',
      '4 index.ts only re-exports',
    ])
    expect(check(checkIndex, lines(41, "export { a } from './a.ts'"), INDEX)).toEqual(['41 41 lines, at most 40'])
  })

  it('lets a facade pass on a whole package', () => {
    expect(check(checkIndex, "export * from '@x/y'", 'vendor/y/src/index.ts')).toEqual([])
  })
})

describe('checkHeader', () => {
  it('wants a comment first, a shebang aside', () => {
    expect(check(checkHeader, '/** What it is for. */\n')).toEqual([])
    expect(check(checkHeader, '#!/usr/bin/env node\n// What it is for.\n')).toEqual([])
    expect(check(checkHeader, "import 'x'\n/** Late. */\n")).toEqual(['1 no header comment'])
    expect(check(checkHeader, '// oxlint-disable no-x\nx()')).toEqual(['1 no header comment'])
  })

  it('does not want one of specs and of index.ts', () => {
    expect([...check(checkHeader, 'x()', SPEC), ...check(checkHeader, "export { a } from './a.ts'", 'packages/fs/fs/src/index.ts')]).toEqual([])
  })
})

describe('checkCatches', () => {
  it('finds errors that are swallowed', () => {
    expect(check(checkCatches, 'try { a() } catch {}\ntry { a() } catch (error) {\n // fine\n}\na().catch(() => {})\na().catch(() => undefined)\na().catch(function () {})')).toEqual([
      '1 an error is swallowed',
      '2 an error is swallowed',
      '5 an error is swallowed',
      '6 an error is swallowed',
      '7 an error is swallowed',
    ])
  })

  it('accepts errors that are looked at', () => {
    expect(check(checkCatches, 'try { a() } catch (error) { log(error) }\na().catch(log)\na().catch(() => [])\na().catch(error => { log(error) })')).toEqual([])
  })
})

describe('checkAssertions', () => {
  it('finds both kinds, and no negation', () => {
    expect(check(checkAssertions, 'a!.b\nclass C { x!: T }\nlet y!: T\nif (!a) b()')).toEqual(['1 `!` asserts what was not checked', '2 `!:` asserts that it will be set', '3 `!:` asserts that it will be set'])
  })
})

describe('checkModuleState', () => {
  it('finds variables and collections that can change', () => {
    expect(check(checkModuleState, 'let a = 1\nexport var b = 2\nconst c = new Map()\nconst d: string[] = []\nconst e = {}\nconst f = new WeakMap<A, B>()\nclass G { static h = new Set() }')).toEqual([
      '1 a variable of the module',
      '2 a variable of the module',
      '3 c is state of the module',
      '4 d is state of the module',
      '5 e is state of the module',
      '6 f is state of the module',
      '7 static h is state of the module',
    ])
  })

  it('finds constants that something changes', () => {
    expect(check(checkModuleState, 'const a = [1]\na.push(2)\nconst b = { x: 1 }\nfunction f() { b.x = 2 }\nconst c = { x: 1 }\ndelete c.x\nconst d = make()\nd.clear()')).toEqual([
      '1 a is state of the module',
      '3 b is state of the module',
      '5 c is state of the module',
      '7 d is state of the module',
    ])
  })

  it('accepts constants', () => {
    const text = "const a: ReadonlySet<string> = new Set()\nconst b: readonly string[] = []\nconst c = ['x']\nconst d = { x: 1 } as const\nconst e = 5\nconst g: Readonly<Record<string, string>> = {}\ndeclare let h: string\nfunction f() { const list = []; list.push(1); let x = 1; return c.concat(list) }"
    expect(check(checkModuleState, text)).toEqual([])
  })

  it('tells a local of the same name from the constant', () => {
    expect(check(checkModuleState, 'const list = [1]\nfunction f(list: number[]) { list.push(2) }')).toEqual([])
  })

  it('leaves specs and scripts alone', () => {
    expect([...check(checkModuleState, 'let a = 1', SPEC), ...check(checkModuleState, 'let a = 1', 'scripts/a.ts')]).toEqual([])
  })
})

describe('checkRelativeImports', () => {
  it('finds paths that leave the package', () => {
    const text = "import a from '../../b/src/b.ts'\nexport * from '../../../../x.ts'\nconst c = import('../../b/c.ts')\ntype D = import('../../b/d.ts').D"
    expect(check(checkRelativeImports, text)).toEqual([1, 2, 3, 4].map(line => expect.stringMatching(`^${line} .* leads into another package`)))
  })

  it('accepts paths within it', () => {
    expect(check(checkRelativeImports, "import a from './b.ts'\nimport c from '../package.json'")).toEqual([])
    expect(check(checkRelativeImports, "import a from '../src/a.ts'", SPEC)).toEqual([])
  })

  it('does not let tests of the repository reach into sources', () => {
    expect(check(checkRelativeImports, "import a from '../../packages/fs/fs/src/a.ts'\nimport b from '../../scripts/b.ts'", 'tests/e2e/a.spec.ts')).toEqual(['1 ../../packages/fs/fs/src/a.ts leads into another package'])
  })
})

describe('checkFocus', () => {
  it('finds tests that keep others from running', () => {
    const focus = 'only'
    expect(check(checkFocus, `it.${focus}('x', f)\ndescribe.${focus}('y', f)\nit.each([1]).${focus}('z', f)`, SPEC)).toEqual([1, 2, 3].map(line => `${line} \`.only\` keeps all other tests from running`))
  })

  it('wants a reason for a skipped test', () => {
    expect(check(checkFocus, "it.skip('x', f)\n// needs a terminal\nit.skipIf(c)('y', f)\nit.todo('z') // not decided", SPEC)).toEqual(['1 `.skip` without a reason'])
  })
})

describe('checkText', () => {
  /** Spelt in pieces, so that this file does not contain what it looks for. */
  const path = (...parts: string[]): string => ['', ...parts].join('/')

  it('finds paths of a machine and hosts of registries', () => {
    const text = [`cd ${path('root', 'x')}`, `'${path('home', 'ann', 'x')}'`, `(${path('work', 'main')})`, `https:${path('', ['registry', 'example', 'org'].join('.'))}`, `${path('Users', 'ann')}`].join('\n')
    expect(checkText('a.md', text).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5])
  })

  it('accepts what only looks like one', () => {
    expect(checkText('a.md', `packages${path('work', 'x')} src${path('root', 'x')} a registry.ts and the agent registry. ~${path('work', 'x')}`)).toEqual([])
  })
})

describe('checkPackageSizes', () => {
  it('adds up the sources of a package, and holds the loop to less', () => {
    const texts = new Map([
      ['packages/fs/fs/src/a.ts', lines(1_000, 'x')],
      ['packages/fs/fs/src/deep/b.ts', lines(501, 'x')],
      ['packages/fs/fs/tests/c.ts', lines(900, 'x')],
      ['packages/core/agent-loop/src/a.ts', lines(1_001, 'x')],
      ['packages/core/agent/src/a.ts', lines(1_500, 'x')],
    ])
    expect(checkPackageSizes(texts).map(({ path, message }) => `${path} ${message}`)).toEqual([
      'packages/fs/fs/package.json 1501 lines in src, at most 1500; it is two packages',
      'packages/core/agent-loop/package.json 1001 lines in src, at most 1000; it is two packages',
    ])
  })
})

it('reads a whole tree, but nothing generated or installed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'dsh-check-'))
  const files = { [SOURCE]: 'try { a() } catch {}\n', 'packages/fs/fs/src/b.generated.ts': 'let b\n', 'node_modules/x/c.ts': 'let c\n', 'README.md': `see /${'root'}/x\n` }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  expect(checkTree(root)).toEqual([
    expect.stringMatching(/^README\.md:1: .* is a path of somebody’s machine; /),
    'packages/fs/fs/src/a.ts:1: no header comment; open the file with one sentence that says what it is for',
    'packages/fs/fs/src/a.ts:1: an error is swallowed; test for the one that is expected and rethrow the rest, or report it',
  ])
  await rm(root, { recursive: true })
})
