export { approvalPanel, renderQuestion, type AskOptions } from './ask-approval.ts'
export { ChoicePanel, type PanelChoice, type PanelOptions } from './choice-panel.ts'
export { PromptSlot } from './prompt-slot.ts'
export { questionPanel, type QuestionOptions } from './ask-questions.ts'
