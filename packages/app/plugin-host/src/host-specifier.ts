/** Knows which imports of a third-party plugin belong to the host. */

const HOST = /^(?:cordis|cosmokit|schemastery|@cordisjs\/[^/]+|@deepseek-ai\/(?:cordis|cosmokit|schemastery|dsh)(?:-[^/]+)?)(?:\/.+)?$/

/** The framework proper: a file of one of these that is not the host's is a second copy. */
const FRAMEWORK_FILE = /\/node_modules\/(?:cordis|cosmokit|schemastery|@cordisjs\/(?:core|loader|plugin-loader)|@deepseek-ai\/(?:cordis(?:-plugin-loader)?|cosmokit|schemastery))\//

const LOADER = '@deepseek-ai/cordis-plugin-loader'

/** Whether a plugin that imports this gets the host's copy, when the host has one. */
export function isHostSpecifier(specifier: string): boolean {
  return HOST.test(specifier)
}

/** The specifier itself, then the name under which the host carries the same package. */
export function hostNames(specifier: string): string[] {
  if (specifier === LOADER) return [specifier, '@cordisjs/loader']
  const plugin = /^@deepseek-ai\/cordis-plugin-(.+)$/.exec(specifier)
  if (plugin?.[1] !== undefined) return [specifier, `@cordisjs/plugin-${plugin[1]}`]
  const facade = /^@deepseek-ai\/(cordis|cosmokit|schemastery)$/.exec(specifier)
  return facade?.[1] === undefined ? [specifier] : [specifier, facade[1]]
}

/** Whether a file belongs to an installed copy of the framework. */
export function isFrameworkFile(url: string): boolean {
  return FRAMEWORK_FILE.test(url)
}
