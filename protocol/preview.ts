/**
 * A value as shown in error messages: the first 60 characters of its JSON. It reads no more of the value than it shows,
 * so a body of any size or depth costs nothing.
 */
const maxCharacters = 60;

/** Returns at most 60 characters of the JSON of `value`, followed by "…" if there is more; the quotes of a text are closed. */
export function preview(value: unknown): string {
  let text = '';
  const full = () => text.length > maxCharacters;
  const write = (node: unknown): void => {
    if (typeof node === 'string') text += JSON.stringify(node.slice(0, maxCharacters + 1));
    else if (Array.isArray(node)) {
      text += '[';
      for (let i = 0; i < node.length && !full(); i += 1) {
        if (i > 0) text += ',';
        write(node[i]);
      }
      text += ']';
    } else if (typeof node === 'object' && node !== null) {
      text += '{';
      let first = true;
      for (const key in node) {
        if (full()) break;
        text += `${first ? '' : ','}${JSON.stringify(key.slice(0, maxCharacters + 1))}:`;
        first = false;
        write((node as Record<string, unknown>)[key]);
      }
      text += '}';
    } else text += String(node);
  };
  write(value);
  return full() ? `${text.slice(0, maxCharacters)}…${typeof value === 'string' ? '"' : ''}` : text;
}
