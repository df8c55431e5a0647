/** How an exported page looks: readable by day and by night, and on paper. */

export const STYLE = `:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem; font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: .85rem; margin: 0 0 .4rem; opacity: .75; }
time { font-weight: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .85rem; opacity: .8; }
dd { margin: 0; overflow-wrap: anywhere; }
section, details.tool { border: 1px solid var(--line); border-radius: .5rem; padding: .7rem 1rem; margin: .8rem 0; }
section.user, section.steering { background: var(--soft); }
.text, pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
pre, code { font: .85rem/1.45 ui-monospace, monospace; }
details pre { border-top: 1px solid var(--line); margin-top: .5rem; padding-top: .5rem; max-height: 30rem; overflow: auto; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.note, em { opacity: .7; font-style: italic; }
img { max-width: 100%; }
`
