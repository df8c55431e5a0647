/** The plugins that the distribution brings: a composition names them, and each is loaded when it is. */

export type PluginImport = () => Promise<unknown>

export const builtinPlugins: Readonly<Record<string, PluginImport>> = {
  '@deepseek-ai/dsh-agent-core': () => import('@deepseek-ai/dsh-agent-core'),
  '@deepseek-ai/dsh-approval': () => import('@deepseek-ai/dsh-approval'),
  '@deepseek-ai/dsh-tool-ask-user': () => import('@deepseek-ai/dsh-tool-ask-user'),
  '@deepseek-ai/dsh-permission-rules': () => import('@deepseek-ai/dsh-permission-rules'),
  '@deepseek-ai/dsh-base-prompt': () => import('@deepseek-ai/dsh-base-prompt'),
  '@deepseek-ai/dsh-llm-deepseek': () => import('@deepseek-ai/dsh-llm-deepseek'),
  '@deepseek-ai/dsh-llm-offline': () => import('@deepseek-ai/dsh-llm-offline'),
  '@deepseek-ai/dsh-llm-retry': () => import('@deepseek-ai/dsh-llm-retry'),
  '@deepseek-ai/dsh-bash-local': () => import('@deepseek-ai/dsh-bash-local'),
  '@deepseek-ai/dsh-tool-bash': () => import('@deepseek-ai/dsh-tool-bash'),
  '@deepseek-ai/dsh-fs-local': () => import('@deepseek-ai/dsh-fs-local'),
  '@deepseek-ai/dsh-fs-policy': () => import('@deepseek-ai/dsh-fs-policy'),
  '@deepseek-ai/dsh-tool-fs': () => import('@deepseek-ai/dsh-tool-fs'),
  '@deepseek-ai/dsh-tool-fs-search': () => import('@deepseek-ai/dsh-tool-fs-search'),
  '@deepseek-ai/dsh-tool-todo': () => import('@deepseek-ai/dsh-tool-todo'),
  '@deepseek-ai/dsh-repeat-guard': () => import('@deepseek-ai/dsh-repeat-guard'),
  '@deepseek-ai/dsh-session-persistence-jsonl': () => import('@deepseek-ai/dsh-session-persistence-jsonl'),
  '@deepseek-ai/dsh-session-persistence-sqlite': () => import('@deepseek-ai/dsh-session-persistence-sqlite'),
  '@deepseek-ai/dsh-commands': () => import('@deepseek-ai/dsh-commands'),
  '@deepseek-ai/dsh-ui-repl': () => import('@deepseek-ai/dsh-ui-repl'),
  '@deepseek-ai/dsh-ui-acp': () => import('@deepseek-ai/dsh-ui-acp'),
  '@deepseek-ai/dsh-llm-replay': () => import('@deepseek-ai/dsh-llm-replay'),
  '@deepseek-ai/dsh-ui-text': () => import('@deepseek-ai/dsh-ui-text'),
}
