/** What a prompt in plain words can tell a program to do. Types only. */

/** One thing to do. Only `survey` and `beyond` are not direct commands. */
export type Command =
  | { kind: 'run'; command: string; background?: true }
  | { kind: 'read'; paths: string[]; offset?: number; limit?: number }
  | { kind: 'read-readme' }
  | { kind: 'list'; pattern: string; path?: string }
  | { kind: 'search'; pattern: string; path?: string; glob?: string; ignoreCase?: true }
  | { kind: 'write'; path: string; content: string; mayOverwrite: boolean }
  | { kind: 'append'; path: string; content: string }
  | { kind: 'replace'; path: string; from: string; to: string }
  | { kind: 'todo'; items: TodoItem[] }
  | { kind: 'fetch'; url: string }
  | { kind: 'web-search'; query: string }
  | { kind: 'delegate'; prompt: string }
  | { kind: 'ask'; question: string }
  /** A greeting, or a question about the stand-in itself. */
  | { kind: 'help' }
  /** A command that lacks something; `advice` says what, as a sentence. */
  | { kind: 'incomplete'; advice: string }
  /** Nothing that rules can do: the reader has to look for itself. */
  | { kind: 'survey'; request: string }
  /** What stands beside direct commands and cannot be followed. */
  | { kind: 'beyond'; request: string }

export interface TodoItem {
  content: string
  status: 'pending' | 'in_progress' | 'completed'
}
