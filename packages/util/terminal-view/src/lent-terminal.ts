/** What to write around the time in which another program has the terminal. */

/** Remembers where the cursor stands (DECSC). */
export const BEFORE_LENDING = '\u001b7'

/**
 * After a program that was killed before it could clean up: the whole window scrolls again (DECSTBM),
 * the normal screen is back and the cursor where it stood (1049, DECRC), no mouse is reported, arrows
 * and the number pad send what they do in a shell, text is neither inserted nor styled nor drawn as
 * lines, lines wrap, and the cursor has its own shape. What is in order already stays as it is.
 */
export const AFTER_CRASH = [
  '\u001b[?6l\u001b[r', '\u001b[?1049l\u001b8', '\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l',
  '\u001b[?1l\u001b>', '\u001b[4l\u001b[0m\u001b(B', '\u001b[?7h', '\u001b[0 q',
].join('')
