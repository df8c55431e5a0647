/** Going through what was typed before, and back to what was being typed. */

export interface PromptDraft {
  text: string
  cursorLine: number
  cursorCol: number
  pastes: Map<number, string>
}

export class HistoryWalk {
  #entries: readonly string[] = []
  #index = -1
  #draft: PromptDraft | undefined

  get isWalking(): boolean {
    return this.#index >= 0
  }

  /** The next older entry; undefined at the oldest. The first step takes what there is and keeps the draft. */
  older(entries: () => readonly string[], draft: () => PromptDraft): string | undefined {
    if (this.#index < 0) {
      const kept = draft()
      this.#entries = entries().filter(entry => entry !== kept.text)
      if (this.#entries.length === 0) return undefined
      this.#draft = kept
    }
    const entry = this.#entries[this.#index + 1]
    if (entry !== undefined) this.#index++
    return entry
  }

  /** The next newer entry, the draft behind the newest, or undefined when none is shown. */
  newer(): string | PromptDraft | undefined {
    if (this.#index < 0) return undefined
    this.#index--
    return this.#index >= 0 ? this.#entries[this.#index] : this.#draft
  }

  /** What is shown is being edited, or was sent. */
  leave(): void {
    this.#index = -1
    this.#draft = undefined
  }
}
