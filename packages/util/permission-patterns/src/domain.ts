/** Rules about hosts: `domain:example.org` for that host alone, `domain:*.example.org` for those below it. Pure. */

export interface DomainRule {
  host: string
  /** Those below the host, not itself. */
  below: boolean
}

/** Undefined for what names no host. International names are compared as they go over the wire. */
export function readDomain(pattern: string): DomainRule | undefined {
  const [, star, name] = /^domain:(\*\.)?([^*/:@?#\s]+)$/.exec(pattern.trim()) ?? []
  const host = name === undefined ? undefined : hostOf(`http://${name}/`)
  return host === undefined ? undefined : { host, below: star !== undefined }
}

/** Undefined for what is no address. Without the dot that a full name may end in. */
export function hostOf(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  return hostname.replace(/\.$/, '').toLowerCase() || undefined
}

export function matchesDomain({ host, below }: DomainRule, actual: string): boolean {
  return below ? actual.endsWith(`.${host}`) : actual === host
}
