/** The text of `dsh --help`. */

export const USAGE = `dsh, an AI coding agent made of plugins

  dsh [PROMPT…]                 a conversation in the terminal, with PROMPT as the first message
  dsh -p, --print [PROMPT…]     one shot: run, print the final answer, exit
  dsh sessions [list]           the sessions of this directory; also show, export, search, rename,
                                delete, repair (--all, --json, --format markdown|json|html, -o FILE)
  dsh replay ID                 run a session again from its record; exit code 1 and a diff when it differs
  dsh explain [--json]          what is composed: every row, its state, where each value comes from
  dsh doctor [--json]           check the installation, the configuration and the model's address

  -c, --continue                go on with the latest session of this directory
  -r, --resume [ID]             go on with a session, by id or its beginning; in a terminal, pick one
      --fork ID[@SEQ]           begin a new session as a copy of another, up to an event
      --session-id ID, --title T, --no-session
                                name the new session; or keep nothing of it
  -m, --model NAME              the model; "offline" is the embedded stand-in that needs no key
      --permission MODE         ask (default): reading runs, the rest is asked; auto; read-only
      --max-steps N             end the turn after N steps
      --timeout DURATION        end the turn after this time: 90, 90s, 5m, 1h
      --cwd DIR                 work in DIR
      --config FILE             a composition to use in place of the built-in one
      --set ROW.PATH=VALUE      set one configuration value; may be repeated
      --quiet, --verbose        less or more on stderr
      --version, --help

Piped input becomes part of the prompt. The answer goes to stdout, everything else to stderr.
Exit codes: 0 completed, 1 the turn failed, 2 usage or configuration, 3 timeout, 4 no such
session, or in use, 5 a permission was needed that nobody could give, 6 a budget ran out, 75 the
provider failed and a retry may help, 130 interrupted, 143 terminated.
Keys: DEEPSEEK_API_KEY, and DEEPSEEK_BASE_URL for any OpenAI-compatible endpoint.
`
