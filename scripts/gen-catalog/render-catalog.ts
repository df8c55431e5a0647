/** Turns the catalog into a page. Pure. */

import type { Member, PackageEntry } from './types.ts'

export function renderCatalog(packages: readonly PackageEntry[]): string {
  const blocks = ['# Catalog', 'Generated from the sources by `node scripts/gen-catalog.ts`; edit those, not this page.', renderIndex(packages), ...packages.flatMap(renderPackage)]
  return `${blocks.join('\n\n')}\n`
}

function renderIndex(packages: readonly PackageEntry[]): string {
  const rows = packages.map(each => `| [${short(each)}](../${each.folder}) | ${each.role} | ${summarize(each)} |`)
  return ['| package | role | offers |', '|---|---|---|', ...rows].join('\n')
}

function summarize({ services, events, logEvents, tools }: PackageEntry): string {
  const parts = [...services.map(({ key }) => `\`ctx.${key}\``), ...tools.map(({ name }) => `tool \`${name}\``), ...count(events, 'event'), ...count(logEvents, 'log event')]
  return parts.join(', ')
}

function count(list: readonly unknown[], noun: string): string[] {
  return list.length === 0 ? [] : [`${list.length} ${noun}${list.length === 1 ? '' : 's'}`]
}

/** Nothing for a package that only has functions and types. */
function renderPackage(each: PackageEntry): string[] {
  const blocks = [
    ...each.services.flatMap(({ key, type, doc, members }) => [`### \`ctx.${key}\`: ${type}`, ...(doc === '' ? [] : [doc]), ...(members.length > 0 ? [renderMembers(members)] : [])]),
    ...section('Events', each.events.map(({ name, mode, ...rest }) => renderItem(`**${name}** (${mode})`, rest))),
    ...section('Log events', each.logEvents.map(({ name, ...rest }) => renderItem(`**${name}**`, rest))),
    ...section('Tools', each.tools.map(({ name, parameters, doc }) => `* **${name}** (${parameters.join(', ') || 'no parameters'})${doc === '' ? '' : `: ${doc}`}`)),
  ]
  return blocks.length === 0 ? [] : [`## ${short(each)}`, ...blocks]
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`### ${title}`, items.join('\n')]
}

function renderMembers(members: readonly Member[]): string {
  return members.map(({ signature, doc }) => `* ${code(signature)}${doc === '' ? '' : `: ${doc}`}`).join('\n')
}

function renderItem(title: string, { signature, doc }: Member): string {
  return `* ${title} ${code(signature)}${doc === '' ? '' : `: ${doc}`}`
}

/** Fenced by more backticks than it holds. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`'
  return `${fence}${text}${fence}`
}

function short({ name }: PackageEntry): string {
  return name.replace('@deepseek-ai/dsh-', '')
}
