/** The text of a few elements of an XML file, as metadata has them. */
import { Parser } from 'htmlparser2';

/** Characters of one element; set by hand. */
const maxChars = 2_000;

/** The text of the first element of each name; absent where there is none. */
export function readXmlText(bytes: Uint8Array | undefined, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  if (bytes === undefined) return found;
  let open = '';
  const parser = new Parser(
    {
      onopentagname(name) {
        if (names.includes(name) && !Object.hasOwn(found, name)) {
          open = name;
          found[name] = '';
        }
      },
      ontext(text) {
        if (open !== '') found[open] = (found[open] + text).slice(0, maxChars);
      },
      onclosetag(name) {
        if (name === open) open = '';
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(new TextDecoder().decode(bytes));
  parser.end();
  return found;
}
