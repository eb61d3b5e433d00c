/**
 * Whether a key press belongs to an input method, such as the Enter that takes its suggestion. Safari ends the composition before
 * that event: only the key code, which is otherwise obsolete, tells it then.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
