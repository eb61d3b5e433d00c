/**
 * A mail without the bulk of its attachments, of which only the names are needed: its parser keeps every line of every part as an object,
 * and 20 MB of short lines are more than a process may have.
 */

/** Lines and bytes of one part, all lines of a mail, and lines of further parts, for their headers. Set by hand. */
const maxPartBytes = 8 * 1024 * 1024;
const maxPartLines = 100_000;
const maxLines = 250_000;
const headerLines = 100;
/** Lines that may divide parts; nothing is kept after this many. */
const maxDividers = 10_000;

/** Two hyphens begin the line that divides two parts (RFC 2046, 5.1.1), and few other lines. */
const hyphen = 0x2d;
const lineFeed = 0x0a;

/** The beginning of each part of a mail, and whether anything is left out. */
export function excerptMail(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly isCut: boolean } {
  const kept: Uint8Array[] = [];
  /** Where the lines begin that are kept and not yet in `kept`. */
  let from = 0;
  let isKeeping = true;
  let [lines, dividers, partLines, partBytes] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] === hyphen && bytes[at + 1] === hyphen) {
      [partLines, partBytes] = [0, 0];
      dividers += 1;
    }
    const isEnough = partLines >= (lines < maxLines ? maxPartLines : headerLines) || partBytes >= maxPartBytes;
    const isKept = !isEnough && dividers <= maxDividers;
    if (isKept !== isKeeping) {
      if (isKeeping) kept.push(bytes.subarray(from, at));
      from = at;
      isKeeping = isKept;
    }
    const begin = at;
    while (at < bytes.length && bytes[at] !== lineFeed) at += 1;
    at += 1;
    partLines += 1;
    partBytes += at - begin;
    if (isKept) lines += 1;
  }
  if (kept.length === 0 && isKeeping) return { bytes, isCut: false };
  if (isKeeping) kept.push(bytes.subarray(from));
  return { bytes: Buffer.concat(kept), isCut: true };
}
