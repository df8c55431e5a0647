import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'
import { logToStderr, type StderrLogOptions } from '../src/index.ts'

async function logged(options: StderrLogOptions): Promise<string> {
  let text = ''
  const root = createRoot()
  logToStderr(root, { write: chunk => (text += chunk), ...options })
  const log = root.logger('probe')
  log.error('broken %s', 'pipe')
  log.info('told')
  log.warn('two\nlines \u001b[31mred')
  log.debug('detail')
  await root.fiber.dispose()
  log.error('after the end')
  return text
}

describe('logToStderr', () => {
  it('prints errors and warnings, each line with its place, and cleans them', async () => {
    expect(await logged({ clean: text => text.replaceAll('\u001b[31m', '') })).toBe('error: probe: broken pipe\nwarn: probe: two\n  lines red\n')
  })

  it('prints errors alone at level 0 and everything at level 3', async () => {
    expect(await logged({ level: 0 })).toBe('error: probe: broken pipe\n')
    expect((await logged({ level: 3 })).split('\n').map(line => line.split(':')[0])).toEqual(['error', 'info', 'warn', '  lines \u001b[31mred', 'debug', ''])
  })
})
