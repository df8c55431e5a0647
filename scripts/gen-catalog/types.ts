/** What the catalog holds. Types only. */

export interface Member {
  /** As in the source, on one line. */
  signature: string
  /** The first sentence of its comment; may be empty. */
  doc: string
}

export interface ServiceEntry {
  /** `ctx.<key>`. */
  key: string
  type: string
  doc: string
  members: Member[]
}

export interface EventEntry extends Member {
  name: string
  /** How the sources fire it; `waterfall`, `serial`, `parallel`, `bail` or `emit`. */
  mode: string
}

export interface LogEventEntry extends Member {
  name: string
}

export interface ToolEntry {
  name: string
  doc: string
  /** With `*` where the model must give it. */
  parameters: string[]
}

export interface PackageEntry {
  name: string
  folder: string
  role: string
  services: ServiceEntry[]
  events: EventEntry[]
  logEvents: LogEventEntry[]
  tools: ToolEntry[]
}
