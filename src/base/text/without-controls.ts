/** Control characters, C0 and C1, except the ends of lines and tabs: at a terminal they move the cursor or hide text. */
const controls = /(?![\n\t])\p{Cc}/gu;

/** JSON whose control characters are all escaped: it has those of C1 as they are otherwise. */
export function escapeControls(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text without its control characters. */
export function withoutControls(text: string): string {
  return text.replace(controls, '');
}
