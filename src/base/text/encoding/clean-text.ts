/**
 * Removes invisible characters. Zero-width, tag, bidi-control and filler characters can hide instructions to a model from
 * the person who checks a quotation. The joiners that scripts and emoji need are kept where they join something. Line ends
 * become LF, those of word processors and pages (VT and FF) too, and lone surrogates U+FFFD.
 */

/** Visible format characters: the number signs of Arabic, Syriac and Kaithi. */
const seen = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';
const unseen = new RegExp(
  [
    `(?![${seen}\\u200c\\u200d])\\p{Cf}`,
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]',
    // Invisible fillers and variation selectors; emoji keep theirs (U+FE0E, U+FE0F after a symbol).
    '[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\ufe00-\\ufe0d]',
    '(?<![\\p{So}\\p{Sm}\\p{Po}\\p{Nd}\\p{Sk}])[\\ufe0e\\ufe0f]',
    '(?<!\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
    '\\p{Noncharacter_Code_Point}',
    // Joiners without anything to join: only letters and marks of joining scripts, and emoji, use them.
    '(?<![\\p{Script=Arab}\\p{Script=Syrc}\\p{Script=Mong}\\p{Script=Nkoo}\\p{Mn}\\p{Mc}\\p{Emoji_Modifier}\\p{Extended_Pictographic}\\ufe0f])[\\u200c\\u200d]',
    '[\\u200c\\u200d](?=[\\u200c\\u200d\\s]|$)',
  ].join('|'),
  'gu',
);

/** Text without invisible characters, line breaks kept. */
export function cleanText(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n');
  return /[^\t\n\x20-\x7e]/.test(lines) ? lines.replace(unseen, '') : lines;
}

/** `cleanText` on one line, with single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/**
 * The beginning of a clean text, at most `maxChars` UTF-16 code units; one fewer where the cut would split a surrogate pair,
 * because stores refuse text that is not well-formed.
 */
export function cutText(text: string, maxChars: number): string {
  const cut = text.slice(0, maxChars);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
