/** Sentences that lead to what comes after them. */

/** Whether it only announces what comes next. */
export function announces(unit: { readonly text: string } | undefined): boolean {
  return unit?.text.endsWith(':') === true;
}
