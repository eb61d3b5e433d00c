/** The texts of the cells of a workbook, which its sheets refer to by number (ECMA-376-1, 18.4). */
import { createRunWriter } from '../../superscript.ts';
import { localName, readXml } from '../read-xml.ts';

/** Set by hand: the texts of the first cells fill a page, and these are needed to have them whatever their order. */
const maxStrings = 500_000;
const maxChars = 8_000_000;
/** A little more than is shown of a cell. */
const maxStringChars = 2_100;

/** The texts by their numbers, parts with formats of their own joined; those beyond the limits are absent. */
export function readSharedStrings(bytes: Uint8Array | undefined): readonly string[] {
  const strings: string[] = [];
  let chars = 0;
  const text = createStringReader();
  readXml(bytes, {
    open(element, attributes) {
      const name = localName(element);
      if (name === 'si') text.begin();
      text.open(name, attributes);
    },
    text: (part) => text.add(part),
    close(element) {
      const name = localName(element);
      text.close(name);
      if (name !== 'si') return;
      const string = text.end();
      chars += string.length;
      strings.push(string);
    },
    isDone: () => strings.length >= maxStrings || chars > maxChars,
  });
  return strings;
}

export interface StringReader {
  begin(): void;
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  add(text: string): void;
  close(name: string): void;
  end(): string;
}

/** Reads the text of an item: its `t` elements, without the readings beside East Asian words (`rPh`). */
export function createStringReader(): StringReader {
  let string = '';
  let isText = false;
  let readings = 0;
  let writer = createRunWriter();
  let isRaised = false;
  return {
    begin() {
      string = '';
      readings = 0;
      writer = createRunWriter();
      isRaised = false;
    },
    open(name, attributes) {
      if (name === 'rPh') readings += 1;
      if (name === 'r') isRaised = false;
      if (name === 'vertAlign') isRaised = attributes.val === 'superscript';
      isText = name === 't' && readings === 0;
    },
    add(text) {
      if (isText && string.length < maxStringChars) string += writer.write(text.slice(0, maxStringChars), isRaised);
    },
    close(name) {
      if (name === 'rPh') readings -= 1;
      isText = false;
    },
    end: () => unescaped(string + writer.flush()),
  };
}

/** Characters that XML cannot have are written as `_x000D_` (ECMA-376-1, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
