/** Decides whether a terminal gets colours, by the conventions of the environment. Pure. */

/**
 * `NO_COLOR` (https://no-color.org, any value but the empty one) wins, then
 * `FORCE_COLOR` and `CLICOLOR_FORCE`; a dumb terminal and what is no terminal get none.
 */
export function useColor(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  const forced = env['FORCE_COLOR'] ?? env['CLICOLOR_FORCE']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return isTerminal && env['TERM'] !== undefined && env['TERM'] !== 'dumb' && env['CLICOLOR'] !== '0'
}
