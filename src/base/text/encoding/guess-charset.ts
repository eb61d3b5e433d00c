/**
 * The charset of a text that names none and is not UTF-8: that of another script if its bytes are valid there and its letters are those
 * of the language, else windows-1252. Texts of Latin letters stay windows-1252, because nothing in them tells it from windows-1250.
 */
import { decodeAs } from './decode-as.ts';

/** Bytes that are judged; set by hand: more tell nothing new. */
const sampleBytes = 65_536;
/** Characters that are not ASCII without which nothing is guessed; set by hand: a word. */
const minChars = 6;

/** Charsets of more than one byte, and how much of what is not ASCII must be usual in their language. Set by hand. */
const wide: readonly { readonly label: string; readonly usual: RegExp; readonly share: number }[] = [
  // No sentence in Japanese is without kana (tables may be: see `isKanji`); half-width katakana are what other charsets are read as.
  { label: 'shift_jis', usual: /[\u3041-\u30ff]/g, share: 0.25 },
  { label: 'euc-jp', usual: /[\u3041-\u30ff]/g, share: 0.25 },
  { label: 'euc-kr', usual: /[\uac00-\ud7a3]/g, share: 0.85 },
  // Full stops, commas and the characters that are in half of all Chinese sentences.
  {
    label: 'gb18030',
    usual:
      /[，。、：；！？“”《》的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运]/g,
    share: 0.35,
  },
];

/** Charsets of Cyrillic letters. */
const cyrillic = ['windows-1251', 'koi8-u', 'ibm866', 'iso-8859-5'] as const;
/** Pairs of letters that are a third of every text in Russian, Ukrainian and Bulgarian. */
const usualPairs = new Set(
  'ст но то на ен ни ко ра ов ро по пр ер ре ли во ос не ет ор ел ал ан ть го от ом ти де те ес ит ат ла ка та ло ри за ва ки да ін ві ат ою ия ът'.split(
    ' ',
  ),
);
/** Pairs of letters without which no Cyrillic is guessed; set by hand: two short sentences. Of fewer, many are usual by chance. */
const minPairs = 15;
/** Letters without which no Hebrew is guessed; set by hand: four words. */
const minHebrewLetters = 20;
/** How many of the pairs must be usual; set by hand: a text in another language that is read as one of these has half as many at most. */
const minPairShare = 0.2;

/** How many of the pairs may be a small letter before a capital; set by hand. */
const maxRiseShare = 0.05;

/** The label of the charset of these bytes, which are not UTF-8. */
export function guessCharset(bytes: Uint8Array): string {
  const sample = sampleOf(bytes);
  for (const { label, usual, share } of wide) {
    const others = otherThanAscii(strictly(sample, label) ?? '');
    const isHalfWidth = count(others, /[\uff61-\uff9f]/g) * 5 > others.length;
    if (others.length >= minChars && !isHalfWidth && count(others, usual) >= share * others.length) return label;
  }
  if (isKanji(sample)) return 'shift_jis';
  if (!isInRuns(sample) || !hasLetters(sample)) return 'windows-1252';
  const hebrew = hebrewLetters(sample);
  if (hebrew > 0) return hebrew < minHebrewLetters ? 'windows-1252' : 'windows-1255';
  const scores = cyrillic.map((label) => ({ label, score: scoreOf(decodeAs(sample, label)) }));
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score > 0 ? best.label : 'windows-1252';
}

/**
 * Whether it is a table of names in Japanese as Excel writes it, which has words of frequent kanji, those of JIS level 1, and hardly any
 * kana. The signs of windows-1252, such as quotation marks, are read as such kanji as well, but in pairs, or one by one and beside letters.
 */
function isKanji(bytes: Uint8Array): boolean {
  const text = strictly(bytes, 'shift_jis');
  if (text === undefined) return false;
  let [chars, frequent, signs] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    chars += 1;
    if (byte >= 0xa1 && byte <= 0xdf) continue;
    // The first of two bytes.
    at += 1;
    if (byte <= 0x97) frequent += 1;
    if (bytes[at]! >= 0x80 && bytes[at]! <= 0xbf) signs += 1;
  }
  const words = text.match(/[^\x00-\x7f]+/g) ?? [];
  const single = words.filter(({ length }) => length === 1).length;
  const besideLetters = count(text, /[a-z][^\x00-\x7f]|[^\x00-\x7f][a-z]/gi);
  return (
    chars >= minChars &&
    frequent >= minFrequentShare * chars &&
    signs <= maxSignShare * chars &&
    single <= 0.2 * words.length &&
    besideLetters <= 0.1 * words.length
  );
}

/** Set by hand: rarer kanji are in names of persons and places. */
const minFrequentShare = 0.8;
/** How many kanji may end with a byte that is a sign in windows-1252; set by hand: a third do. */
const maxSignShare = 0.7;

/** The beginning, up to the end of a line, so that no character is cut. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= sampleBytes) return bytes;
  const end = bytes.lastIndexOf(0x0a, sampleBytes);
  return bytes.subarray(0, end > 0 ? end : sampleBytes);
}

function strictly(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function otherThanAscii(text: string): string {
  return text.replace(/[\x00-\x7f]+/g, '');
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

/**
 * The share of usual pairs among those within words, and a little for small letters, which some charsets have in the place of capitals;
 * 0 for implausible text, such as words with capitals after small letters, which Greek turns into.
 */
function scoreOf(text: string): number {
  let [pairs, usual, small, rises] = [0, 0, 0, 0];
  for (const [word] of text.matchAll(/[\u0400-\u04ff]{2,}/g)) {
    const lower = word.toLowerCase();
    for (let at = 1; at < word.length; at += 1) {
      pairs += 1;
      if (word[at] === lower[at]) small += 1;
      else if (word[at - 1] === lower[at - 1]) rises += 1;
      if (usualPairs.has(lower.slice(at - 1, at + 1))) usual += 1;
    }
  }
  if (pairs < minPairs || usual < minPairShare * pairs || rises > maxRiseShare * pairs) return 0;
  return (usual + 0.05 * small) / pairs;
}

/** Whether any byte is above those that windows-1252 has for signs, which are letters of DOS: no text in Cyrillic has only those. */
function hasLetters(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte >= 0xc0);
}

/**
 * How many letters it has if it is Hebrew as Windows writes it, else 0: almost only small letters of windows-1251, of which some of the
 * most frequent, which are the final forms of Hebrew, are nowhere but at the end of a word.
 */
function hebrewLetters(bytes: Uint8Array): number {
  const others = bytes.filter((byte) => byte >= 0x80);
  const letters = others.filter((byte) => byte >= 0xe0 && byte <= 0xfa);
  if (letters.length < 0.9 * others.length) return 0;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return /[\xc0-\xdf\xfb\xfc\xff]|[\xea\xed\xef\xf3\xf5][\xe0-\xfa]/.test(text) ? 0 : letters.length;
}

/**
 * Whether most bytes that are not ASCII are beside another one, and hardly any beside a letter of ASCII: letters of Latin with accents
 * are the other way round.
 */
function isInRuns(bytes: Uint8Array): boolean {
  const isOther = (byte = 0) => byte >= 0x80;
  const isLetter = (byte = 0) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  let [others, inRuns, besideLetters] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    if (!isOther(bytes[at])) continue;
    others += 1;
    if (isOther(bytes[at - 1]) || isOther(bytes[at + 1])) inRuns += 1;
    if (isLetter(bytes[at - 1]) || isLetter(bytes[at + 1])) besideLetters += 1;
  }
  return others >= minChars && inRuns >= 0.6 * others && besideLetters <= 0.1 * others;
}
