import ConsoleExporter from '@cordisjs/plugin-logger-console'
import { createRoot } from 'cordis/host'
import { expect, it } from 'vitest'

it('renders messages of the pinned framework', async () => {
  const root = createRoot()
  const lines: string[] = []
  await root.plugin(class extends ConsoleExporter {
    override export(message: Parameters<ConsoleExporter['export']>[0]): void {
      lines.push(this.render(message))
    }
  }, { showTime: '', colors: false })

  root.logger('probe').warn('careful')

  expect(lines).toEqual(['[W] probe careful'])
  await root.fiber.dispose()
})
