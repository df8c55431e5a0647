export { apply, Config, name, type AgentCoreConfig } from './plugin.ts'
