export { apply, Config, inject, name, type FsPolicyConfig } from './plugin.ts'
