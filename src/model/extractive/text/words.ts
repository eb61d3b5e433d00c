/**
 * Splits text into words with their stems. Questions and evidence are read by the same rules, so they match by stem.
 * Irregular forms and names of nationalities have the stem of their base form, all other words Porter's stem; identifiers
 * are also split into their parts, so that "request timeout" matches `requestTimeout`. A question in
 * another language, and what is read for it, have the stems of that language.
 */

import { trim } from '../../../base/memory/trim.ts';
import { detach } from '../../../base/text/detach.ts';
import { splitCamelCase } from '../../../base/text/names/camel-case.ts';
import { fold } from '../../../base/text/stems/fold.ts';
import { foreignStem, type StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { stem } from '../../../base/text/stems/stemmer.ts';
import { strongVerbs } from './strong-verbs.ts';

export interface Word extends Omit<Form, 'matcher' | 'found' | 'isStop'> {
  /** UTF-16 offsets into the text that was read. */
  readonly start: number;
  readonly end: number;
}

/** The properties of a word that do not depend on where it is; all words that are written alike share one. */
export interface Form {
  /** UTF-16 code units as written. */
  readonly length: number;
  readonly stem: string;
  /** Whether it begins with a capital. */
  readonly capital: boolean;
  /** Whether it has a digit. */
  readonly digits: boolean;
  /** Stems of the parts of an identifier, `request`, `timeout`; empty for a plain word. */
  readonly parts: readonly string[];
  /** What the term matcher that last met it found: its number, and an index into what it found. See match/term-matcher.ts. */
  matcher: number;
  found: number;
  /** Whether its stem is that of a stop word, once a term matcher has met it. */
  isStop: boolean | undefined;
}

/** Words without their offsets into the text, and the offsets at which they start. */
export interface PlacedForms {
  readonly forms: readonly Form[];
  readonly starts: readonly number[];
}

const sign = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
/** A letter or figure that is not such a sign: "3号楼" is three words. */
const letter = String.raw`(?!${sign})[\p{L}\p{N}_]\p{M}*`;
const wordPattern = new RegExp(
  String.raw`${sign}|\p{N}+(?:[.,]\p{N}+)*(?:(?!_)${letter})*|(?:\p{L}\.){2,}|(?:${letter})+(?:['’](?:(?!${sign})\p{L})+)*`,
  'gu',
);

/** What `wordPattern` matches in a text without other characters, found in half the time. */
const asciiWordPattern = /[0-9]+(?:[.,][0-9]+)*[A-Za-z0-9]*|(?:[A-Za-z]\.){2,}|[A-Za-z0-9_]+(?:'[A-Za-z]+)*/g;
const hasOtherCharacters = /[^\0-\x7f]/;

/** All words of a text, in order; every Han or kana character is a word. Stems are English ones without a language. */
export function readWords(text: string, language?: StemmedLanguage): Word[] {
  const { forms, starts } = readForms(text, language);
  return forms.map(({ stem, capital, digits, parts, length }, i) => {
    const start = starts[i]!;
    return { stem, start, end: start + length, length, capital, digits, parts };
  });
}

/** The words of `readWords` in two lists. */
export function readForms(text: string, language?: StemmedLanguage): PlacedForms {
  const forms: Form[] = [];
  const starts: number[] = [];
  const pattern = hasOtherCharacters.test(text) ? wordPattern : asciiWordPattern;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    forms.push(formOf(match[0], language));
    starts.push(match.index);
  }
  // Passages are cached.
  return { forms: trim(forms), starts };
}

/** The number of words as a reader counts them: separated by blanks. */
export function countWords(text: string): number {
  let count = 0;
  let isWithin = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isBlank = code === 32 || ((code < 32 || code >= 160) && /\s/.test(text[at]!));
    if (!isBlank && !isWithin) count += 1;
    isWithin = !isBlank;
  }
  return count;
}

/** The stems of words and of the parts of identifiers. */
export function plainStems(words: readonly Pick<Form, 'stem' | 'parts'>[]): string[] {
  const stems: string[] = [];
  for (const word of words) {
    stems.push(word.stem);
    for (const part of word.parts) stems.push(part);
  }
  return stems;
}

/** The stem of a written word: "elect" for "Elections" and "elected", "3715" for "3,715". */
export function stemOf(written: string): string {
  return formOf(written).stem;
}

/** By language and written word. A few words make up most of every text; when a cache is full, it starts over. */
const formCaches = new Map<StemmedLanguage | undefined, Map<string, Form>>();

function formOf(found: string, language?: StemmedLanguage): Form {
  let formCache = formCaches.get(language);
  if (formCache === undefined) {
    formCache = new Map();
    formCaches.set(language, formCache);
  }
  const known = formCache.get(found);
  if (known !== undefined) return known;
  const written = detach(found);
  const first = written[0] ?? '';
  const form = {
    length: written.length,
    stem: computeStem(written, language),
    capital: first !== first.toLowerCase(),
    digits: /\p{N}/u.test(written),
    parts: partsOf(written, language),
    matcher: 0,
    found: 0,
    isStop: undefined,
  };
  if (formCache.size > 50_000) formCache.clear();
  if (written.length <= 40) formCache.set(written, form);
  return form;
}

function computeStem(written: string, language?: StemmedLanguage): string {
  const isForeign = language !== undefined && !/\p{N}/u.test(written);
  let word = (isForeign ? written.toLowerCase() : fold(written))
    .replace(/^(?:[cdjlmnst]|qu)['’](?=\p{L}{3})/u, '')
    .replace(/['’]s?$/, '')
    .replace(/['’]/g, '');
  if (/\p{N}/u.test(word))
    return word.replace(/[,.](?=\p{N}{3}(?!\p{N}))/gu, '').replace(/^(\d+)(?:st|nd|rd|th|s)$/, '$1');
  if (isForeign) {
    word = word.replace(/\./g, '');
    return irregularForeign.get(language)?.get(word) ?? foreignStem(language, word);
  }
  if (word === 'us') return written === 'US' ? 'american' : word;
  word = word.replace(/\./g, '');
  return irregular.get(word) ?? stem(word);
}

/** Shared, as nearly no word has parts. */
const noParts: readonly string[] = [];

function partsOf(written: string, language?: StemmedLanguage): readonly string[] {
  if (!/[a-z][A-Z]|_/.test(written) || written.length > 80) return noParts;
  return splitCamelCase(written)
    .split(/[_ ]+/)
    .filter((part) => part !== '')
    .map((part) => formOf(part, language).stem);
}

/** Words whose stem would be that of another word, "martes", or not that of their singular. */
const otherStems: Readonly<Partial<Record<StemmedLanguage, Readonly<Record<string, string>>>>> = {
  es: { martes: 'martes', días: 'dia' },
};

/** By language, stems by form. */
const irregularForeign = new Map<StemmedLanguage, Map<string, string>>();
for (const language of ['de', 'fr', 'es'] as const) {
  const stems = new Map(Object.entries(otherStems[language] ?? {}));
  for (const forms of groupsOf(strongVerbs[language]!))
    for (const form of forms) stems.set(form, foreignStem(language, forms[0]!));
  irregularForeign.set(language, stems);
}

function groupsOf(list: string): string[][] {
  return list
    .replace(/\n/g, '')
    .split(';')
    .map((group) => group.split(' '));
}

/** Stems by form. Each group begins with the base form; written by hand. */
const irregular = new Map<string, string>();
for (const forms of groupsOf(`write wrote written;win won;begin began begun;become became;build built;buy bought;bring brought;choose chose chosen;come came;do did done;die died death deaths dead dies dying;draw drew drawn;drive drove driven;eat ate eaten;fall fell fallen;fight fought;find found;fly flew flown flight flights;
forbid forbade;forget forgot;get got gotten;give gave given;go went gone;grow grew grown growth;hold held;keep kept;know knew known knowledge;lead led;leave left;lose lost loss losses;make made;mean meant;meet met;pay paid;rise rose risen;run ran;say said;see saw seen;seek sought;sell sold sale sales;send sent;show shown;
sing sang sung song songs;sit sat;speak spoke spoken speech speeches;spend spent;stand stood;steal stole stolen;strike struck;swim swam;take took taken;teach taught;tell told;think thought;throw threw thrown;understand understood;wear wore worn;marry married marriage marriages marries wife husband husbands spouse spouses;bear born birth births birthplace;
child children;man men;woman women;person people persons;foot feet;tooth teeth;mouse mice;country countries nation national;city cities;movie movies film films;author authors writer writers;british britain uk;french france;german germany;spanish spain;chinese china;japanese japan;italian italy;russian russia;
greek greece;turkish turkey;dutch netherlands;portuguese portugal;swiss switzerland;polish poland;irish ireland;english england;scottish scotland;swedish sweden;danish denmark;american america usa us;european europe`)) {
  for (const form of forms) irregular.set(form, stem(forms[0]!));
}
