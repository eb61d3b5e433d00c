/** Numbers of things in sentences for people. */

/** `1 page`, `2 pages`; `noun` is a singular whose plural ends in s. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
