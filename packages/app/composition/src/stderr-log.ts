/** Prints log messages to standard error, one prefix a line; standard output belongs to the answer. */

import { Logger, type Context, type Exporter, type Message } from 'cordis'

export interface StderrLogOptions {
  /** Default `process.stderr.write`. */
  write?: (text: string) => void
  /** 0 errors, 1 info, 2 warnings, 3 debug: everything up to it, as the framework counts. Default 2. */
  level?: number
  /** Info lines are left out although they count before warnings. Default: at level 2. */
  quiet?: boolean
  /** Makes text safe to print: control sequences from models and files. */
  clean?: (text: string) => string
  /** Messages that are shown elsewhere already. Default: none. */
  skip?: (message: Message) => boolean
}

/** Registers the exporter on `ctx`; it goes with the fiber of `ctx`. */
export function logToStderr(ctx: Context, options: StderrLogOptions = {}): void {
  const { write = text => void process.stderr.write(text), level = 2, quiet = level === 2, clean = text => text, skip = () => false } = options
  const exporter: Exporter = {
    colors: false,
    levels: { default: level },
    export(message) {
      if ((quiet && message.type === 'info') || skip(message)) return
      const text = clean(Logger.format(exporter, message)).trimEnd()
      write(`${text.split('\n').map((line, index) => (index === 0 ? `${message.type}: ${message.name}: ${line}` : `  ${line}`)).join('\n')}\n`)
    },
  }
  ctx.logger.exporter(exporter)
}
