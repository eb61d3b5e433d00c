/** Control characters, C0 and C1, except the ends of lines and tabs: at a terminal they move the cursor or hide text. */
const controls = /(?![\n\t])\p{Cc}/gu;

/** A text without its control characters. */
export function withoutControls(text: string): string {
  return text.replace(controls, '');
}
