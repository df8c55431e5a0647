/** The one thing that asking needs of a terminal. Types only. */

/** Shows `prompt` and resolves with the next line; rejects when the signal is aborted or input ends. */
export type AskLine = (prompt: string, signal: AbortSignal) => Promise<string>
