/**
 * The text of a settings file with every common key, commented out.
 *
 * Keys stand behind `#` without a blank, or with the blanks of their indentation;
 * explanations stand behind `# `. So taking every other `#` away gives a file
 * that sets each key to its default, or to an example where there is none.
 */

const HEAD = `# Settings of dsh: values on top of the composition that it runs. Nothing here is set yet: take
# the # away from a line, and from the lines that it stands below.
#
#   dsh explain        what is in force, and which file and line set it
#   dsh help, man dsh  the command line, whose options win over every file
#   --set ROW.PATH=V   the same for one run
`

const OF_PROJECT = `#
# This file is for everybody who works in this directory. Whatever runs, reaches or permits
# something (plugins, addresses, keys, rules) applies only for those who trust it: dsh trust.
`

const OF_USER = `#
# These are your own settings, for every directory. A project's .dsh/settings.yml wins over them.
`

const MODEL = `
# The model that answers when -m does not say; dsh models lists them.
#model: deepseek-flash
`

const ROWS = `
# Values of single parts, by the id that dsh explain shows. Lists and single values replace what
# was there; !env NAME reads a variable of the environment.
#rows:

# Who may do what: ask (reading runs, the rest is asked), auto, read-only.
#  permission-rules:
#    mode: ask

# How long a question waits for its answer, in milliseconds; 0: as long as it takes.
#  approval:
#    timeoutMs: 0

# The address of any OpenAI-compatible endpoint, up to /chat/completions, its key, and the models
# that it is known to have. A key belongs into the environment, not into a file.
#  llm-deepseek:
#    baseURL: !env { name: DEEPSEEK_BASE_URL, default: "https://api.deepseek.com" }
#    apiKey: !env { name: DEEPSEEK_API_KEY, default: "" }
#    keyless: false
#    models: [deepseek-flash, deepseek-v4-flash, deepseek-v4-pro]

# How often a request that failed is tried again, and how long it waits at most.
#  llm-retry:
#    maxAttempts: 5
#    maxDelayMs: 30000

# How long a command may run, unless the model asks for more, and the most it can ask for. env.keep
# names variables that commands get although they look like secrets.
#  bash-local:
#    timeoutMs: 120000
#    maxTimeoutMs: 600000
#    env:
#      keep: []

# Directories beside this one that may be written without asking.
#  fs-policy:
#    writable: []

# How much of a file one read shows.
#  tool-fs:
#    maxLines: 2000

# After how many calls that are all the same the model is reminded, and the turn ended.
#  repeat-guard:
#    remindAfter: 3
#    stopAfter: 8

# Whether the model is told the date, the system and the state of the directory.
#  base-prompt:
#    environment: true
`

const REST = `
# Parts that are not to run, by their ids.
#disable: [tool-todo]

# Parts of your own: a file beside this one, or a package.
#plugins:
#  - id: my-plugin
#    name: ./my-plugin.ts
#    config: {}
`

/** Sets nothing as it is. */
export function settingsTemplate(of: 'user' | 'project'): string {
  return `${HEAD}${of === 'user' ? OF_USER : OF_PROJECT}${MODEL}${ROWS}${REST}`
}
