/** The tokens of RTF (RTF 1.9.1, "RTF Syntax"), one after the other, so that a large picture costs no memory. */

export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'word'; readonly word: string; readonly value: number | undefined }
  /** A control symbol, such as `~` or `*`. */
  | { readonly kind: 'symbol'; readonly symbol: string }
  /** A byte in the code page of the font, of `\'hh` or of the text itself. */
  | { readonly kind: 'bytes'; readonly from: number; readonly to: number }
  | { readonly kind: 'byte'; readonly byte: number };

/** Letters of a control word; RTF 1.9.1 allows 32. */
const maxWordChars = 32;
const [backslash, open, close, quote, space, minus] = [0x5c, 0x7b, 0x7d, 0x27, 0x20, 0x2d];

/** The tokens of a file. Binary data after `\bin` is skipped. Never throws. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === open || byte === close) {
      yield { kind: byte === open ? 'open' : 'close' };
      at += 1;
    } else if (byte !== backslash) {
      const from = at;
      while (at < bytes.length && bytes[at] !== open && bytes[at] !== close && bytes[at] !== backslash) at += 1;
      yield { kind: 'bytes', from, to: at };
    } else if (isLetter(bytes[at + 1])) {
      const from = at + 1;
      at = from;
      while (isLetter(bytes[at]) && at - from < maxWordChars) at += 1;
      const word = latin(bytes, from, at);
      const digits = at;
      if (bytes[at] === minus && isDigit(bytes[at + 1])) at += 1;
      while (isDigit(bytes[at]) && at - digits < 11) at += 1;
      const value = at === digits ? undefined : Number(latin(bytes, digits, at));
      if (bytes[at] === space) at += 1;
      if (word === 'bin') at += Math.max(0, value ?? 0);
      else yield { kind: 'word', word, value };
    } else if (bytes[at + 1] === quote) {
      const code = Number.parseInt(latin(bytes, at + 2, at + 4), 16);
      if (!Number.isNaN(code)) yield { kind: 'byte', byte: code };
      at += 4;
    } else {
      if (at + 1 < bytes.length) yield { kind: 'symbol', symbol: latin(bytes, at + 1, at + 2) };
      at += 2;
    }
  }
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
