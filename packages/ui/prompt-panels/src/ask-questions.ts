/** Puts the model's questions to the user, one after the other. */

import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import type { UserQuestion } from '@deepseek-ai/dsh-approval'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'
import { showControls } from '@deepseek-ai/dsh-text'
import { ChoicePanel, type PanelChoice, type PanelOptions } from './choice-panel.ts'

export interface QuestionOptions {
  theme: Theme
  fit: Pick<PanelOptions, 'rows' | 'overflow'>
  /** Which of how many it is, from 1. */
  place: readonly [number, number]
  /** The answer to this question; empty when it was left open. */
  onAnswer(answer: string[]): void
  /** The user wants to answer none. */
  onDecline(): void
}

export function questionPanel({ question, options = [], multiple }: UserQuestion, { theme, fit, place: [number, count], onAnswer, onDecline }: QuestionOptions): ChoicePanel {
  const choices: PanelChoice[] = [
    ...options.map((option, i) => ({ value: `option ${i}`, label: option, ...(i < 9 && { key: String(i + 1) }) })),
    { value: 'words', label: 'in my own words', wantsWords: true },
    { value: 'open', label: 'leave it open' },
  ]
  return new ChoicePanel({
    ...fit,
    theme,
    head: width => [...wrapTextWithAnsi(`${theme.warning('?')} ${theme.bold(showControls(question))}${count > 1 ? theme.dim(` (${number} of ${count})`) : ''}`, width), ''],
    choices,
    escape: 'answers none',
    ...(multiple && { isMultiple: true }),
    onChoose: (values, words) => onAnswer(values.flatMap(value => (value === 'open' ? [] : value === 'words' ? (words === '' ? [] : [words]) : [options[Number(value.slice('option '.length))] ?? '']))),
    onCancel: onDecline,
  })
}
