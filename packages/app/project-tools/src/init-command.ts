/** `dsh init`: writes a settings file that says what can be set, and sets nothing. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { EXIT, type ExitCode, type Terminal } from '@deepseek-ai/dsh-front-door'
import { stripControls } from '@deepseek-ai/dsh-text'
import { settingsTemplate } from './settings-template.ts'

export interface InitOptions {
  /** Absolute: the file to write. */
  file: string
  of: 'user' | 'project'
  terminal: Terminal
}

/** Throws `USAGE` when the file is there already or cannot be made; whatever is there stays as it is. */
export function initCommand({ file, of, terminal }: InitOptions): ExitCode {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: of === 'user' ? 0o700 : 0o755 })
    writeFileSync(file, settingsTemplate(of), { flag: 'wx', mode: of === 'user' ? 0o600 : 0o644 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new HarnessError('USAGE', code === 'EEXIST' ? `${file} is there already, and is left as it is` : `${file} cannot be written: ${message}`)
  }
  terminal.stderr.write(stripControls(`dsh: wrote ${file}, in which everything is commented out; dsh explain shows what is in force\n`))
  return EXIT.completed
}
