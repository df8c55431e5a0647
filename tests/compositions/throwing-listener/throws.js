/** Listens to one event, by config, before everybody else, and throws. */

export const name = 'throws'

export function apply(ctx, { event }) {
  ctx.on(event, () => {
    throw new Error(`the listener of ${event} broke`)
  }, { prepend: true })
}
