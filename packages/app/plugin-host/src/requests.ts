/** What the host was asked to load: one request for each version of each plugin that a file names. */

/** A plugin outside the distribution, at one version of its source. */
export interface Request {
  /** As the row writes it: a path, a file URL or a package. */
  name: string
  /** `name` as modules want it: an absolute path is a URL here. */
  target: string
  /** The file that names it, absolute. */
  from: string
  /** 0 at first, one more with each reload. */
  version: number
  /** Also packages that it uses get an instance of this version; see `HostModules`. */
  deep: boolean
  /** Its TypeScript carries code in types, which Node does not strip. */
  transpiles: boolean
  /** What its name came to; undefined until it was resolved. */
  url?: string
  /** Files that it loaded, without those of packages: what to watch. */
  sources: Set<string>
}

/** The query that makes the module of another version another module. */
const VERSION = /[?&]dsh-version=(\d+)(\.deep)?$/

/** The URL of a module at the version of a request. */
export function versioned(url: string, { version, deep }: Pick<Request, 'version' | 'deep'>): string {
  if (version === 0 && !deep) return url
  return `${url}${url.includes('?') ? '&' : '?'}dsh-version=${version}${deep ? '.deep' : ''}`
}

/** The version that a module URL carries. */
export function versionOf(url: string): Pick<Request, 'version' | 'deep'> {
  const found = VERSION.exec(url)
  return { version: Number(found?.[1] ?? 0), deep: found?.[2] !== undefined }
}

/** The URL without its version. */
export function unversioned(url: string): string {
  return url.replace(VERSION, '')
}
