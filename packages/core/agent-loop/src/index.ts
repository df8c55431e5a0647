export { AgentLoop, AgentLoop as default, type AgentLoopConfig } from './agent-loop.ts'
