/** How well one colour can be told from another, as WCAG 2 measures it. Pure. */

/** Channels from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** From 1, none, to 21, black on white. */
export function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** As terminals draw faint text: a third of the way to what is behind it. */
export function faded([red, green, blue]: Rgb, [r, g, b]: Rgb): Rgb {
  const mix = (front: number, back: number): number => (2 * front + back) / 3
  return [mix(red, r), mix(green, g), mix(blue, b)]
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
