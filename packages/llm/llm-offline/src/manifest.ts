/** Reads the files that say what a project is: manifests and the readme. Pure and tolerant. */

import { parseJsonObject, type JsonValue } from '@deepseek-ai/dsh-json'
import { code, shorten } from './fence.ts'

export interface Manifest {
  /** One or two sentences about the project. */
  about: string
  /** Commands that the manifest names, as one would type them. */
  commands: string[]
}

type Reader = (text: string) => Manifest | undefined

/** By file name, in the order in which they are asked. */
const READERS: Readonly<Record<string, Reader>> = {
  'package.json': readPackageJson,
  'pyproject.toml': readPyproject,
  'Cargo.toml': text => named(text, 'A Rust crate', 'cargo test', 'cargo build'),
  'go.mod': readGoMod,
  Makefile: readMakefile,
}

export const MANIFESTS: readonly string[] = Object.keys(READERS)

/** Undefined when the text is not what the file's name promises. */
export function readManifest(name: string, text: string): Manifest | undefined {
  return READERS[name]?.(text)
}

function readPackageJson(text: string): Manifest | undefined {
  const parsed = parseJsonObject(text)
  if (parsed.kind === 'invalid') return undefined
  const { name, description, scripts, workspaces } = parsed.value
  const about = `${workspaces === undefined ? 'A Node package' : 'A Node workspace'}${typeof name === 'string' ? ` named ${code(name)}` : ''}${typeof description === 'string' && description !== '' ? `: ${sentence(description)}` : '.'}`
  return { about, commands: Object.keys(objectOf(scripts)).map(script => (script === 'test' || script === 'start' ? `npm ${script}` : `npm run ${script}`)) }
}

function objectOf(value: JsonValue | undefined): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function readPyproject(text: string): Manifest | undefined {
  const scripts = /\[(?:project|tool\.poetry)\.scripts\]\n((?:(?!\[).*\n?)*)/.exec(text)?.[1] ?? ''
  const manifest = named(text, 'A Python project')
  return { ...manifest, commands: [...scripts.matchAll(/^\s*["']?([\w-]+)["']?\s*=/gm)].map(([, script]) => script ?? '') }
}

function named(text: string, kind: string, ...commands: string[]): Manifest {
  const [name, description] = ['name', 'description'].map(key => new RegExp(`^\\s*${key}\\s*=\\s*["'](.+?)["']`, 'm').exec(text)?.[1])
  return { about: `${kind}${name === undefined ? '' : ` named ${code(name)}`}${description === undefined ? '.' : `: ${sentence(description)}`}`, commands }
}

function readGoMod(text: string): Manifest {
  const module = /^module\s+(\S+)/m.exec(text)?.[1]
  return { about: `A Go module${module === undefined ? '.' : ` named ${code(module)}.`}`, commands: ['go build ./...', 'go test ./...'] }
}

function readMakefile(text: string): Manifest {
  const targets = [...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?!=)/gm)].map(([, target]) => `make ${target ?? ''}`)
  return { about: 'It is built by make.', commands: [...new Set(targets)] }
}

function sentence(text: string): string {
  const line = shorten(text, 200)
  return /[.!?]$/.test(line) ? line : `${line}.`
}

export interface Readme {
  title?: string
  /** The first paragraph that is prose. */
  opening?: string
}

const NOT_PROSE = /^(?:#|!\[|\[!\[|<|>|[-*_]{3,}\s*$|[-*+]\s|\d+\.\s|\||```|={3,}|\[.*\]:)/

export function readReadme(text: string): Readme {
  const lines = text.replace(/<!--[\s\S]*?-->/g, '').replace(/^```[\s\S]*?^```/gm, '').split('\n').map(line => line.trim())
  const title = lines.find(line => /^#\s+\S/.test(line))?.replace(/^#\s+/, '').replace(/[#\s]+$/, '') ?? underlined(lines)
  const start = lines.findIndex((line, index) => line !== '' && !NOT_PROSE.test(line) && !/^[=-]{3,}$/.test(lines[index + 1] ?? ''))
  if (start < 0) return { ...(title !== undefined && { title }) }
  const length = lines.slice(start).findIndex(line => line === '' || /^(?:#|```|[-*+]\s)/.test(line))
  const opening = lines.slice(start, length < 0 ? undefined : start + length).join(' ')
  return { ...(title !== undefined && { title }), opening: shorten(opening, 500) }
}

/** A title in the older style, with a line of `=` below it. */
function underlined(lines: readonly string[]): string | undefined {
  const below = lines.findIndex(line => /^={3,}$/.test(line))
  return below > 0 ? lines[below - 1] : undefined
}
