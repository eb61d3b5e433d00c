/**
 * The events of an XML file of an office document, in the order of the file. A file may come from anybody: its depth is bounded, it
 * is decoded and parsed in parts, so that a caller who has enough stops early, and entities of its own are never expanded.
 */
import { Parser } from 'htmlparser2';
import { utf16By } from '../../../base/text/encoding/charset.ts';

export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether the rest is not needed; asked after each part of 64 KiB. */
  isDone?(): boolean;
}

/** Elements inside each other; set by hand: office programs nest a few dozen. */
const maxDepth = 256;
/** Max. attributes of one element; set by hand. */
const maxAttributes = 1_000;
const partBytes = 65_536;

/** Reads a file, with names as they are written; nothing of a file that is not there. Throws if it is nested too deeply, or for too many attributes. */
export function readXml(bytes: Uint8Array | undefined, events: XmlEvents): void {
  if (bytes === undefined) return;
  let depth = 0;
  let attributes = 0;
  const parser = new Parser(
    {
      onopentag(name, given) {
        depth += 1;
        attributes = 0;
        if (depth > maxDepth) throw new Error('The document is nested too deeply.');
        events.open(name, given);
      },
      onattribute() {
        attributes += 1;
        if (attributes > maxAttributes) throw new Error('An element of the document has too many attributes.');
      },
      ontext: (text) => events.text?.(text),
      onclosetag(name) {
        depth -= 1;
        events.close?.(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  // XML is UTF-8, or UTF-16 with a byte order mark (XML 1.0, 4.3.3).
  const decoder = new TextDecoder(utf16By(bytes) ?? 'utf-8');
  for (let at = 0; at < bytes.length && !events.isDone?.(); at += partBytes)
    parser.write(decoder.decode(bytes.subarray(at, at + partBytes), { stream: true }));
  parser.end();
}

/** The name of an element without its prefix, which programs choose. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Whether an attribute says yes (XML Schema's boolean); no if it is absent. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}
