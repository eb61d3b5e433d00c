/** What a number or a letter distinguishes from others of its kind: "rack 3", "pier A", "third floor", "2. Vorsitzende". */
import { germanMonths } from '../../../base/text/dates/months.ts';
import { ordinals } from '../../../base/text/numbers.ts';
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { stopStems } from '../question/analyse.ts';
import { readWords, stemOf } from '../text/words.ts';

/** What follows a number that is one of several: "rooms 1–5", "rack 2 and 3". */
export const joinsNumbers = '[-–/,+&]|to|and|or|bis|und|oder|à|et|ou|a|y|o';
const goesOn = new RegExp(String.raw`^\s?(?:${joinsNumbers})(?!\p{L})`, 'u');
/** "3", "A", "B1" */
const mark = /^(?:\d{1,4}|\p{Lu}\d{0,2})$/u;

/** "C-Jugend", "E-Bike"; but an e-mail is not a kind of mail. */
const prefixed = /(?<![\p{L}\d-])(\p{L}\d{0,2})[-‑](?!mails?(?!\p{L}))(\p{L}{3,})/giu;

/** What comes in order by its number: "third floor". */
const ordered = new RegExp(
  String.raw`\b(ground|${ordinals.join('|')}|\d+(?:st|nd|rd|th)) (floor|row|class|lesson|group|team|level|section|half|deck|chair(?:man|woman|person)?)\b`,
  'gi',
);
const germanOrdinals = 'erst zweit dritt viert fünft'.split(' ');
/** "1. Stock", "zweite Vorsitzende"; not "1. Mai". */
const germanOrdered = new RegExp(
  String.raw`(?<![\p{L}\d.])(?:(\d{1,2})\.|(${germanOrdinals.join('|')})e[rsnm]?) (?!(?:${germanMonths.join('|')})(?!\p{L}))(\p{Lu}\p{Ll}{2,})`,
  'giu',
);

/** The number or letter of a text by the stem of the word that it belongs to: "3" of "rack 3", "3" of "third floor". */
export function numbersIn(text: string, language: StemmedLanguage | undefined): Map<string, string> {
  const words = readWords(text, language);
  const stemsOf = (word: string) => readWords(word, language).map(({ stem }) => stem);
  const english = [...text.matchAll(ordered)].map(([, which, what]) => {
    const at = ordinals.indexOf(which!.toLowerCase());
    return [stemOf(what!), at < 0 ? which!.toLowerCase().replace(/\D+$/, '') || 'ground' : String(at + 1)] as const;
  });
  const german = [...text.matchAll(germanOrdered)].flatMap(([, figure, word, what]) => {
    const number = figure ?? String(germanOrdinals.indexOf(word!.toLowerCase()) + 1);
    return stemsOf(what!).map((stem) => [stem, number] as const);
  });
  const after = words.flatMap(({ start, end }, at) => {
    const before = words[at - 1];
    const written = text.slice(start, end);
    if (before === undefined || before.digits || stopStems.has(before.stem) || written === 'I' || !mark.test(written))
      return [];
    return text.slice(before.end, start).trim() === '' && !goesOn.test(text.slice(end))
      ? [[before.stem, written] as const]
      : [];
  });
  const before = lettersBefore(text).flatMap(({ letter, word }) =>
    stemsOf(word).map((stem) => [stem, letter] as const),
  );
  return new Map([...english, ...german, ...after, ...before]);
}

/** The letters that distinguish things by standing before them: "C" of "C-Jugend", with the word that they belong to. */
export function lettersBefore(text: string): { readonly letter: string; readonly word: string }[] {
  return [...text.matchAll(prefixed)].map(([, letter, word]) => ({ letter: letter!.toUpperCase(), word: word! }));
}
