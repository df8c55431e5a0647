/** What kind of file a name stands for. Pure. */

export interface Language {
  name: string
  /** The word behind a fence. */
  fence: string
}

const LANGUAGES: Readonly<Record<string, readonly [string, string]>> = {
  ts: ['TypeScript', 'ts'], tsx: ['TypeScript', 'tsx'], mts: ['TypeScript', 'ts'], cts: ['TypeScript', 'ts'],
  js: ['JavaScript', 'js'], jsx: ['JavaScript', 'jsx'], mjs: ['JavaScript', 'js'], cjs: ['JavaScript', 'js'],
  py: ['Python', 'python'], rs: ['Rust', 'rust'], go: ['Go', 'go'], java: ['Java', 'java'], kt: ['Kotlin', 'kotlin'], rb: ['Ruby', 'ruby'], php: ['PHP', 'php'],
  c: ['C', 'c'], h: ['C', 'c'], cc: ['C++', 'cpp'], cpp: ['C++', 'cpp'], hpp: ['C++', 'cpp'], cs: ['C#', 'csharp'], swift: ['Swift', 'swift'],
  sh: ['Shell', 'sh'], bash: ['Shell', 'sh'], lua: ['Lua', 'lua'], ex: ['Elixir', 'elixir'], exs: ['Elixir', 'elixir'], scala: ['Scala', 'scala'], zig: ['Zig', 'zig'],
  html: ['HTML', 'html'], htm: ['HTML', 'html'], css: ['CSS', 'css'], scss: ['CSS', 'scss'], vue: ['Vue', 'vue'], svelte: ['Svelte', 'svelte'], sql: ['SQL', 'sql'],
  json: ['JSON', 'json'], jsonl: ['JSON', 'json'], yml: ['YAML', 'yaml'], yaml: ['YAML', 'yaml'], toml: ['TOML', 'toml'], xml: ['XML', 'xml'],
  md: ['Markdown', 'markdown'], markdown: ['Markdown', 'markdown'], txt: ['text', ''], csv: ['CSV', ''],
  png: ['images', ''], jpg: ['images', ''], jpeg: ['images', ''], gif: ['images', ''], svg: ['images', ''], webp: ['images', ''], ico: ['images', ''],
}

/** Undefined for an ending that is not known, and for a name without one. */
export function languageOf(path: string): Language | undefined {
  const entry = LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
  return entry && { name: entry[0], fence: entry[1] }
}

/** `TypeScript 12, Markdown 3, other 2`: the most frequent first, at most eight by name. */
export function countLanguages(paths: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const name = languageOf(path)?.name ?? extensionOf(path)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  const rest = sorted.slice(8).reduce((sum, [, count]) => sum + count, 0)
  return [...sorted.slice(0, 8), ...(rest > 0 ? [['others', rest] as const] : [])].map(([name, count]) => `${name} ${count}`).join(', ')
}

function extensionOf(path: string): string {
  return /[^/](\.\w{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? 'without ending'
}
