import { describe, expect, it } from 'vitest'
import { takeBuiltins } from '../../scripts/bundle/builtin-imports.ts'
import { findShortcuts, inlineRuntime, takeShortcuts } from '../../scripts/bundle/shortcuts.ts'

describe('takeBuiltins', () => {
  it.each([
    ['import { join as join$1, sep } from "node:path";', 'const { join: join$1, sep } = process.getBuiltinModule("node:path");'],
    ['import os from "node:os";', 'const os = process.getBuiltinModule("node:os");'],
    ['import * as path from "path";', 'const path = process.getBuiltinModule("path");'],
    ['import { randomBytes } from "node:crypto";', 'const randomBytes = (...given) => process.getBuiltinModule("node:crypto").randomBytes(...given);'],
    ['import { constants as c, open } from "node:fs/promises";', 'const { constants: c } = process.getBuiltinModule("node:fs");const open = (...given) => process.getBuiltinModule("node:fs/promises").open(...given);'],
  ])('replaces %s', (before, after) => {
    expect(takeBuiltins(`first\n${before}\nlast`)).toBe(`first\n${after}\nlast`)
  })

  it('loads at once what is more than a function', () => {
    expect(takeBuiltins('import { exec, ChildProcess, spawn } from "node:child_process";')).toBe(
      'const { exec, ChildProcess } = process.getBuiltinModule("node:child_process");const spawn = (...given) => process.getBuiltinModule("node:child_process").spawn(...given);',
    )
  })

  it.each(['import { a } from "./chunk.js";', 'import { request } from "undici";', 'const text = `import os from "node:os";`'])('leaves %s alone', code => {
    expect(takeBuiltins(code)).toBe(code)
  })
})

const facade = (code: string) => ({ fileName: 'dsh-Y.js', facadeModuleId: '/app/run-command.ts', code }) as never

describe('takeShortcuts', () => {
  it('imports the file behind a facade, under the names of the facade', () => {
    const shortcuts = findShortcuts([facade('export { t as runCommand, u } from "./core-X.js";\n')], id => id.startsWith('/app/'))
    expect(takeShortcuts('await import("./dsh-Y.js"); import("./other-Z.js")', shortcuts)).toBe('await import("./core-X.js").then((all) => ({ runCommand: all.t, u: all.u })); import("./other-Z.js")')
  })

  it('keeps facades of modules that others are handed, and files with code of their own', () => {
    expect(findShortcuts([facade('export { t as runCommand } from "./core-X.js";\n')], () => false).size).toBe(0)
    expect(findShortcuts([facade('import "./a.js";\nexport { t as runCommand } from "./core-X.js";\n')], () => true).size).toBe(0)
  })
})

describe('inlineRuntime', () => {
  const runtime = '// helpers\nvar __name = (target) => target;\nexport { __name as t };\n'

  it('writes the helpers into the one line of their import', async () => {
    const code = inlineRuntime('import { t as __name } from "./rolldown-runtime-A.js";\nexport const same = __name(1);', runtime)
    expect(code.split('\n')).toHaveLength(2)
    expect(await import(`data:text/javascript,${encodeURIComponent(code)}`)).toMatchObject({ same: 1 })
  })

  it('drops an import of nothing, and keeps one of a helper that it does not find', () => {
    expect(inlineRuntime('import "./rolldown-runtime-A.js";\nrest', runtime)).toBe('\nrest')
    expect(inlineRuntime('import { q as __other } from "./rolldown-runtime-A.js";', runtime)).toBe('import { q as __other } from "./rolldown-runtime-A.js";')
  })
})
