/**
 * Makes the installable package: `node scripts/pack.ts [--entry FILE]` writes
 * `dist-pack/deepseek-ai-dsh-<version>.tgz` and prints its path. It holds the distribution;
 * only packages with binaries of their own remain dependencies.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDistribution, type Distribution } from './bundle/build-distribution.ts'
import { OLDEST_NODE } from './bundle/command.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { entry: { type: 'string', default: join(root, 'packages/app/dsh/src/main.ts') } } })
const target = join(root, 'dist-pack')
const stage = join(target, 'package')

try {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  const distribution = await buildDistribution({ root, entry: resolve(values.entry), out: join(stage, 'dist'), sourcemap: false })
  mkdirSync(join(stage, 'man'))
  copyFileSync(join(root, 'docs/man/dsh.1'), join(stage, 'man/dsh.1'))
  for (const file of ['README.md', 'LICENSE']) if (existsSync(join(root, file))) copyFileSync(join(root, file), join(stage, file))
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(describePackage(distribution), null, 2)}\n`)
  console.log(join(target, packWithNpm()))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function describePackage({ version, external }: Distribution) {
  return {
    name: '@deepseek-ai/dsh',
    version,
    description: 'An AI coding agent for the terminal, editors and scripts, whose every part is a plugin',
    license: 'MIT',
    type: 'module',
    bin: { dsh: 'dist/dsh.mjs' },
    man: ['man/dsh.1'],
    engines: { node: `>=${OLDEST_NODE}` },
    files: ['dist', 'man'],
    dependencies: Object.fromEntries(external.map(each => [each.name, each.version])),
  }
}

/** The name of the tarball that npm made. */
function packWithNpm(): string {
  const output = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', target], { cwd: stage, encoding: 'utf8', shell: process.platform === 'win32' })
  return output.trim().split('\n').at(-1) ?? ''
}
