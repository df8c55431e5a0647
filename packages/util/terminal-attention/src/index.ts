export { TerminalAttention, type AttentionOptions } from './terminal-attention.ts'
export { chooseNotification, notification, type NotificationKind, type NotifySetting } from './notification.ts'
