/** A plugin in plain JavaScript, installed as a package; it depends on a framework of its own, and gets the host's. */

import { Service } from 'cordis'

export default class Shout extends Service {
  static name = 'shout'
  static inject = ['systemPrompt']

  constructor(ctx) {
    super(ctx, 'shout')
    ctx.systemPrompt.section({ name: 'shout', order: 50, text: 'ANSWER IN CAPITALS.' })
  }
}
