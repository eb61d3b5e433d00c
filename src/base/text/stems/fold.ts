/**
 * One spelling of a word for comparing: lower case and without accents, whether the reader's keyboard has them or not. "Łódź" is
 * "lodz", "Straße" is "strasse", "ёлка" is "елка".
 */

/** Letters that Unicode does not decompose, and how they are written where they are missing; at the end of a word, sigma is another. */
const replaced: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};
const replaceable = new RegExp(`[${Object.keys(replaced).join('')}]`, 'g');

/** The word in lower case, without accents and other marks. */
export function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  return withoutMarks(word).replace(replaceable, (letter) => replaced[letter]!);
}

/** The word in lower case without marks, which keeps letters such as "ß": how words were indexed before they were folded. */
export function withoutMarks(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Letters with accents: Latin, Greek, Cyrillic, Hebrew, Arabic, capital sharp s, and those of Vietnamese. */
const accentedRanges = [
  [0xc0, 0x17f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x5d0, 0x5f4],
  [0x620, 0x6d3],
  [0x1e9e, 0x1ef9],
] as const;

/** Letters of scripts whose words are written without marks between the letters. */
const unmarked = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

const writtenAs = readWrittenForms();

/**
 * The source of a regular expression with the flag `i` for how a text may begin that is folded to `folded`. Of a script with
 * marks between its letters, only for the first letter.
 */
export function patternOfFolded(folded: string): string {
  const first = String.fromCodePoint(folded.codePointAt(0) ?? 0);
  if (!unmarked.test(first)) return anyOf(first);
  return folded.replace(/s{2,}|ae|oe|th|[\s\S]/g, (part) => {
    if (part.length === 1) return anyOf(part);
    // "sß" and "ßs" are both folded to "sss".
    if (part.startsWith('s')) return `[s${writtenAs.get('s')}${writtenAs.get('ss')}]{1,${part.length}}`;
    return `(?:${[...part].map(anyOf).join('')}|[${writtenAs.get(part)}])`;
  });
}

/** Whether two folded letters may be written as one. */
export function isPair(folded: string): boolean {
  return /^(?:ss|ae|oe|th)$/.test(folded);
}

function anyOf(letter: string): string {
  const forms = writtenAs.get(letter);
  return forms === undefined ? letter : `[${letter}${forms}]`;
}

/** Not "İ" and "ẞ". */
function isFoundInLowerCase(letter: string): boolean {
  const lower = letter.toLowerCase();
  return lower !== letter && lower.toUpperCase() === letter;
}

/** By what they are folded to, the letters that are, in lower case where that is enough. */
function readWrittenForms(): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const [first, last] of accentedRanges) {
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCharCode(code);
      const folded = fold(letter);
      if (folded === letter || !/^\p{L}+$/u.test(folded) || isFoundInLowerCase(letter)) continue;
      forms.set(folded, (forms.get(folded) ?? '') + letter);
    }
  }
  return forms;
}
