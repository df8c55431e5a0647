/** How the library's editor and lists are drawn with our styles. */

import type { EditorTheme, SelectListTheme } from '@earendil-works/pi-tui'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'

export function selectTheme(theme: Theme): SelectListTheme {
  return { selectedPrefix: theme.selected, selectedText: theme.selected, description: theme.dim, scrollInfo: theme.dim, noMatch: theme.dim }
}

export function editorTheme(theme: Theme): EditorTheme {
  return { borderColor: theme.dim, selectList: selectTheme(theme) }
}
