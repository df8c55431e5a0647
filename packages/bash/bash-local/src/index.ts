export { LocalBash, LocalBash as default, type LocalBashConfig } from './local-bash.ts'
