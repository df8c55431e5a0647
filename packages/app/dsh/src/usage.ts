/** The text of `dsh --help`. */

export const USAGE = `dsh, an AI coding agent made of plugins

  dsh [PROMPT…]                 a conversation in the terminal, with PROMPT as the first message
  dsh -p, --print [PROMPT…]     one shot: run, print the final answer, exit
  dsh explain [--json]          what is composed: every row, its state, where each value comes from
  dsh doctor [--json]           check the installation, the configuration and the model's address

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
Exit codes: 0 completed, 1 the turn failed, 2 usage or configuration, 3 timeout, 5 a permission
was needed that nobody could give, 6 a budget ran out, 75 the provider failed and a retry may help,
130 interrupted, 143 terminated.
Keys: DEEPSEEK_API_KEY, and DEEPSEEK_BASE_URL for any OpenAI-compatible endpoint.
`
