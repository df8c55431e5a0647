/** Reads YAML text into nodes with positions, and turns everything that is wrong with it into problems. */

import type { Document, Node, Pair, Scalar, YAMLMap } from 'yaml'
import { nearest } from '@deepseek-ai/dsh-text'
import type { Position } from './position.ts'
import { didYouMean, type Problem, type ProblemCode } from './problem.ts'
import type { Plain, YamlEntry, YamlNode } from './yaml-node.ts'

export interface ParsedYaml {
  /** Undefined for an empty text, and when nothing could be made of it. */
  root?: YamlNode
  problems: Problem[]
}

type Library = typeof import('yaml')

/** A composition has hundreds of nodes; aliases may not expand to more than this. */
const MOST_NODES = 20_000
const MOST_DEPTH = 64

const CORE_TAGS: ReadonlySet<string> = new Set(['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(name => `tag:yaml.org,2002:${name}`))
const JS_TAG = 'tag:yaml.org,2002:js'
const OWN_TAGS = ['!env', '!replace', '!!js']

/** Messages of the library that name its tokens instead of the mistake. */
const CLEARER: Record<string, string> = {
  RESOURCE_EXHAUSTION: `values are nested deeper than ${MOST_DEPTH} levels`,
  TAB_AS_INDENT: 'a tab cannot indent YAML; use spaces',
}

/** Parses one document. Never throws for what is wrong with the text: see `problems`. */
export async function parseYaml(text: string, file: string): Promise<ParsedYaml> {
  const library = await import('yaml')
  const lines = new library.LineCounter()
  const source = text.startsWith('\ufeff') ? text.slice(1) : text
  const documents = library.parseAllDocuments(source, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  if (!Array.isArray(documents) || documents.length === 0) return { problems: [] }
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  const [first, second] = documents
  const problems = syntaxProblems(documents.flatMap(document => document.errors), place)
  if (problems.length > 0 || first === undefined) return { problems }
  if (second !== undefined) {
    const at = place((second.range ?? [0])[0])
    return { problems: [{ code: 'multiple-documents', message: 'the file holds several YAML documents; one is expected', position: at }] }
  }
  const converter = new Converter(library, first, { place, source })
  const root = first.contents === null ? undefined : converter.convert(first.contents as Node, 0)
  return root === undefined ? { problems: converter.problems } : { root, problems: converter.problems }
}

interface SyntaxError {
  code: string
  message: string
  pos: [number, number]
}

/** The first syntax error only: what follows it is usually its echo. Duplicate keys are all told. */
function syntaxProblems(errors: readonly SyntaxError[], place: (offset: number) => Position): Problem[] {
  const duplicates = errors.filter(error => error.code === 'DUPLICATE_KEY')
  const others = errors.filter(error => error.code !== 'DUPLICATE_KEY')
  const first = others.find(error => CLEARER[error.code] !== undefined) ?? others[0]
  if (first !== undefined) {
    return [{ code: 'yaml-syntax', message: CLEARER[first.code] ?? inWords(first.message), position: place(first.pos[0]) }]
  }
  return duplicates.map(error => ({ code: 'duplicate-key', message: 'the same key is given twice in one map', position: place(error.pos[0]) }))
}

/** The library's words, without the names of its tokens. */
function inWords(message: string): string {
  if (/^Unexpected \S+ at node end$/.test(message)) return 'the value before this is complete, so that this does not fit below it'
  if (message === 'Missing closing "quote') return 'a double quote is not closed'
  return message.slice(0, 1).toLowerCase() + message.slice(1)
}

/** Turns the library's tree into ours; one per document. */
class Converter {
  readonly problems: Problem[] = []
  private nodes = 0
  private readonly library: Library
  private readonly document: Document.Parsed
  private readonly place: (offset: number) => Position
  private readonly source: string

  constructor(library: Library, document: Document.Parsed, text: { place: (offset: number) => Position; source: string }) {
    this.library = library
    this.document = document
    this.place = text.place
    this.source = text.source
  }

  /** Undefined when the node is refused; the reason is then among the problems. */
  convert(node: Node | null, depth: number): YamlNode | undefined {
    const at = this.place(node?.range?.[0] ?? 0)
    if (node === null) return { kind: 'scalar', at, value: null }
    this.nodes++
    if (this.nodes > MOST_NODES || depth > MOST_DEPTH) {
      if (!this.problems.some(problem => problem.code === 'alias-bomb')) {
        this.refuse('alias-bomb', `the file expands to more than ${MOST_NODES} values or ${MOST_DEPTH} levels`, at)
      }
      return undefined
    }
    if (this.library.isAlias(node)) return this.convertAlias(node.resolve(this.document) as Node | undefined, at, depth)
    const tag = (node as { tag?: string }).tag
    if (tag !== undefined && !CORE_TAGS.has(tag)) return this.convertTagged(node, tag, depth)
    return this.convertPlain(node, depth)
  }

  private convertAlias(target: Node | undefined, at: Position, depth: number): YamlNode | undefined {
    if (target !== undefined) return this.convert(target, depth + 1)
    return this.refuse('yaml-syntax', 'the alias has no anchor before it', at)
  }

  private convertPlain(node: Node, depth: number): YamlNode | undefined {
    const at = this.place(node.range?.[0] ?? 0)
    if (this.library.isMap(node)) return { kind: 'map', at, entries: this.convertEntries(node, depth) }
    if (this.library.isSeq(node)) {
      const items = node.items.flatMap(item => this.convert(item as Node, depth + 1) ?? [])
      return { kind: 'list', at, items }
    }
    const { value, tag } = node as Scalar
    const plain = typeof value === 'bigint' ? Number(value) : (value as Plain)
    return tag === undefined ? { kind: 'scalar', at, value: plain } : { kind: 'scalar', at, value: plain, literal: true }
  }

  private convertEntries(map: YAMLMap, depth: number): YamlEntry[] {
    return map.items.flatMap(pair => {
      const { key, value } = pair as Pair<Node | null, Node | null>
      const at = this.place(key?.range?.[0] ?? 0)
      if (!this.library.isScalar(key) || key.value === null) {
        this.refuse('bad-value', 'a key must be text', at)
        return []
      }
      const converted = this.convert(value, depth + 1)
      return converted === undefined ? [] : [{ key: String(key.value), at, value: value === null ? { ...converted, at } : converted }]
    })
  }

  private convertTagged(node: Node, tag: string, depth: number): YamlNode | undefined {
    const at = this.place(this.tagStart(node.range?.[0] ?? 0))
    if (tag === '!replace') {
      const value = this.convertPlain(node, depth)
      return value === undefined ? undefined : { kind: 'replace', at, value }
    }
    if (tag === '!env') return this.convertEnv(node, at, depth)
    const shown = tag.replace('tag:yaml.org,2002:', '!!')
    if (tag === JS_TAG && this.library.isScalar(node)) return { kind: 'js', at, code: String(node.value) }
    return this.refuse('unknown-tag', `unknown tag ${shown}${didYouMean(nearest(shown, OWN_TAGS))}`, at)
  }

  /** `!env NAME`, `!env NAME default` or `!env { name: NAME, default: value }`. */
  private convertEnv(node: Node, at: Position, depth: number): YamlNode | undefined {
    if (this.library.isScalar(node)) {
      const found = /^([A-Za-z_]\w*)(?:\s+([^]*))?$/.exec(String(node.value ?? '').trim())
      if (found?.[1] === undefined) return this.refuse('bad-value', '!env takes the name of a variable and, after a space, a default', at)
      return found[2] === undefined ? { kind: 'env', at, name: found[1] } : { kind: 'env', at, name: found[1], fallback: found[2] }
    }
    const map = this.convertPlain(node, depth)
    if (map?.kind !== 'map') return this.refuse('bad-value', '!env takes a name, or a map with "name" and "default"', at)
    const fields = Object.fromEntries(map.entries.map(entry => [entry.key, entry.value]))
    const { name, default: fallback, ...rest } = fields
    if (name?.kind !== 'scalar' || typeof name.value !== 'string' || Object.keys(rest).length > 0) {
      return this.refuse('bad-value', '!env takes a name, or a map with "name" and "default"', at)
    }
    if (fallback === undefined) return { kind: 'env', at, name: name.value }
    if (fallback.kind !== 'scalar') return this.refuse('bad-value', 'the default of !env must be a single value', fallback.at)
    return { kind: 'env', at, name: name.value, fallback: fallback.value }
  }

  /** The library places a node behind its tag; a person looks for the tag. */
  private tagStart(offset: number): number {
    const before = this.source.slice(Math.max(0, offset - 100), offset)
    return offset - (/![^\s!]*!?[^\s]*\s+$/.exec(before)?.[0].length ?? 0)
  }

  private refuse(code: ProblemCode, message: string, position: Position): undefined {
    this.problems.push({ code, message, position })
    return undefined
  }
}
