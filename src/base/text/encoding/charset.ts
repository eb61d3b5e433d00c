/**
 * Bytes as text: a byte order mark wins, then the header's charset, then the charset that an HTML or XML document declares
 * in its first 4 KiB, then UTF-8 if the bytes are valid UTF-8, else the charset of
 * another script that its letters are in, else windows-1252 as browsers do. Never fails.
 *
 * Bytes that make sense only as UTF-8 are read as UTF-8 even where a single-byte charset was declared, and bytes that
 * cannot be UTF-8 are not, even where it was: browsers show such pages with wrong letters, which here would be found and
 * quoted.
 */

import { isUtf8 } from 'node:buffer';
import { decodeAs } from './decode-as.ts';
import { guessCharset } from './guess-charset.ts';

/** Bytes searched for a declaration; browsers search 1,024 (HTML standard, prescan), some pages need more. Set by hand. */
const prescanBytes = 4_096;

/** A page's bytes as text; never throws. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label = byMark(bytes) === undefined ? (known(charsetOf(contentType)) ?? known(declaredIn(bytes))) : undefined;
  // UTF-8 is tried in any case.
  if (label === undefined || label === 'utf-8' || contradicts(bytes, label)) return decodeUndeclared(bytes);
  return decodeIn(bytes, label);
}

/** The same without a declaration, for what is not HTML or XML; never throws. */
export function decodeUndeclared(bytes: Uint8Array): string {
  const marked = byMark(bytes);
  if (marked !== undefined) return decodeIn(bytes, marked);
  return decodeIn(bytes, isUtf8(bytes) || mostlyUtf8(bytes) ? 'utf-8' : guessCharset(bytes));
}

function decodeIn(bytes: Uint8Array, label: string): string {
  const text = decodeAs(bytes, label);
  return label === 'windows-1252' ? withoutUtf8Marks(text) : unmangled(text);
}

/** Whether bytes are most likely not in the charset that was declared for them. */
function contradicts(bytes: Uint8Array, label: string): boolean {
  // A document that declares UTF-16 in ASCII letters is not UTF-16; the HTML standard ignores it too.
  if (label.startsWith('utf-16')) return !looksWide(bytes);
  return /^(?:windows-12|iso-8859-|koi8)/.test(label) && isUtf8(bytes);
}

/** The charset that a Content-Type names, as written; undefined when it names none. */
function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w:.+-]+)/i.exec(contentType)?.[1];
}

/** The UTF-16 whose byte order mark a text begins with. */
export function utf16By(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function byMark(bytes: Uint8Array): string | undefined {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : utf16By(bytes);
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescanBytes)).toString('latin1');
  return (
    /<\?xml[^>]{0,200}encoding\s*=\s*["']([\w:.+-]+)/i.exec(head)?.[1] ??
    /<meta[^>]{0,300}charset\s*=\s*["']?\s*([\w:.+-]+)/i.exec(head)?.[1]
  );
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function looksWide(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 200);
  return head.filter((byte) => byte === 0).length * 4 > head.length;
}

/** One broken sequence (a page cut off, one bad comment) does not make a page windows-1252. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, 200_000));
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const wide = text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
  return broken < wide;
}

/** What UTF-8 writes with three bytes, by how windows-1252 shows it. */
const utf8Marks: ReadonlyMap<string, string> = new Map(
  [...'‐–—‘’‚“”„†‡•…‰‹›€™'].map((mark) => [decodeAs(Buffer.from(mark), 'windows-1252'), mark]),
);
const utf8Mark = new RegExp([...utf8Marks.keys()].join('|'), 'g');

/** Text without such marks of UTF-8 in what is otherwise windows-1252, as where part of another page was pasted. */
function withoutUtf8Marks(text: string): string {
  return text.replace(utf8Mark, (run) => utf8Marks.get(run)!);
}

/** What looks like characters of UTF-8 that were read as latin-1. */
const mangled =
  /(?:[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3})+(?=(\p{L}?))/gu;

/**
 * UTF-8 that somebody upstream read as latin-1 and wrote again as UTF-8: "canâ\x80\x99t". It is recognised by
 * control characters that no page contains on purpose; sequences that decode as valid UTF-8 are repaired.
 */
function unmangled(text: string): string {
  if (!/[\u00c2-\u00f4][\u0080-\u009f]/.test(text)) return text;
  const isSure = [...text.matchAll(mangled)].some(([run]) => isUnmistakable(run));
  let isMangled = isSure;
  const repaired = text.replace(mangled, (run, next: string) => {
    const meant = Buffer.from(run, 'latin1').toString('utf8');
    if (!(isSure ? mayBeMeant(run, meant) : isMeant(run, meant, next !== ''))) return run;
    isMangled ||= /[\u0080-\u009f]/.test(run);
    return meant;
  });
  return isMangled ? repaired : text;
}

/** Quotation marks, dashes and "…" of windows-1252 that were read as latin-1. */
const readAsControls = /[\x84\x85\x91-\x97]$/;

/** A letter and two marks, or a space that does not break, of windows-1252. */
const letterAndMarks = /^[\xe0-\xef][\x82\x84\x85\x8b\x91-\x97\x9b\xa0\xa1\xab\xb7\xbb\xbf]{2}$/;

/** Whether a run shows what happened to the whole text: windows-1252 that was read as latin-1 has no such run. */
function isUnmistakable(read: string): boolean {
  if (!/[\x80-\x9f]/.test(read)) return false;
  const meant = Buffer.from(read, 'latin1').toString('utf8');
  if (meant.includes('\ufffd')) return false;
  return [...meant].length > 1 || (read.length > 2 && !letterAndMarks.test(read));
}

/** Whether a run in a text of them is one too: "é\xa0»" is the end of a quotation in French. */
function mayBeMeant(read: string, meant: string): boolean {
  return !meant.includes('\ufffd') && !/^[\xe0-\xef]\xa0[\xab\xbb]$/.test(read);
}

/** Whether a run is one where none is unmistakable: "Ü\x93" is the end of a word in capitals and a quotation mark. */
function isMeant(read: string, meant: string, isInWord: boolean): boolean {
  if (!mayBeMeant(read, meant)) return false;
  if ([...meant].length > 1) return true;
  // Latin-1 itself; punctuation; signs of full width.
  if (/^[\xc2\xc3\xe2\xef\xf0]/.test(read)) return true;
  // Latin with other accents, Greek and Cyrillic.
  return /^[\xc4\xc5\xce-\xd1]/.test(read) && (isInWord || !readAsControls.test(read));
}
