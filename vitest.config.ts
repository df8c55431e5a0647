/** How tests run: threads without isolation, except where a file's name or its folder says otherwise. */
import { configDefaults, defineConfig } from 'vitest/config'

const exclude = [...configDefaults.exclude, '.tools/**', 'dist/**', 'dist-pack/**']
const threads = { pool: 'threads', watch: false, testTimeout: 20_000, hookTimeout: 20_000 } as const
const slow = { testTimeout: 60_000, hookTimeout: 60_000 }
const live = { ...threads, ...slow, name: 'live', include: ['tests/live/**/*.spec.ts'], exclude }

export default defineConfig({
  test: {
    watch: false,
    projects: process.env.DSH_TEST_LIVE ? [{ test: live }] : [
      {
        test: {
          ...threads,
          name: 'unit',
          isolate: false,
          include: ['{packages/*,vendor}/*/tests/**/*.spec.ts', 'tests/**/*.spec.ts'],
          exclude: [...exclude, '**/*.isolated.spec.ts', 'tests/{e2e,live}/**'],
        },
      },
      { test: { ...threads, name: 'isolated', isolate: true, include: ['{packages,vendor,tests}/**/*.isolated.spec.ts'], exclude: [...exclude, 'tests/{e2e,live}/**'] } },
      { test: { ...threads, ...slow, name: 'e2e', isolate: false, include: ['tests/e2e/**/*.spec.ts'], exclude } },
    ],
  },
})
