/** Other numbers, units and months in a true sentence. */
import { type Change, months, once, replaceAt } from './change.ts';

/** Another number; years move by a few. */
export const otherNumber: Change = (sentence, _, random) =>
  [...sentence.matchAll(/(?<![\p{L}\d.,])\d[\d,]*(?:\.\d+)?(?![\p{L}\d])/gu)].flatMap(({ 0: written, index }) => {
    const value = Number(written.replaceAll(',', ''));
    const isYear = /^1\d{3}$|^20\d\d$/.test(written);
    const factor = [0.1, 0.5, 0.9, 1.1, 2, 10][Math.floor(random() * 6)]!;
    const other = isYear
      ? value + [-20, -3, -1, 1, 2, 10][Math.floor(random() * 6)]!
      : Math.max(1, Math.round(value * factor)) + (value * factor < 40 ? 1 : 0);
    if (other === value) return [];
    const shown = written.includes(',') ? other.toLocaleString('en-US') : String(other);
    return once(isYear ? 'date' : 'number', sentence, replaceAt(sentence, index, written.length, shown));
  });

export const smallWords = 'two three four five six seven eight nine ten twelve twenty'.split(' ');

/** Another number from two to twelve, or twenty, in words. */
export const otherNumberWord: Change = (sentence, _, random) =>
  [...sentence.matchAll(/\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b/g)].flatMap(
    ({ 0: written, index }) => {
      const other = smallWords[Math.floor(random() * smallWords.length)]!;
      return once('number', sentence, replaceAt(sentence, index, written.length, other));
    },
  );

const exchanged: Readonly<Record<string, string>> = {
  million: 'billion',
  billion: 'million',
  thousand: 'million',
  percent: 'million',
  hundred: 'thousand',
  metres: 'kilometres',
  kilometres: 'metres',
  miles: 'metres',
  feet: 'miles',
  km: 'm',
  weeks: 'months',
  months: 'years',
  years: 'months',
  days: 'weeks',
  hours: 'days',
  minutes: 'hours',
  dollars: 'euros',
};

/** Another unit, magnitude or currency. */
export const otherUnit: Change = (sentence) =>
  [
    ...sentence.matchAll(
      /(?<=\d ?(?:\([^)]*\) )?)\b(?:million|billion|thousand|percent|hundred|metres|kilometres|miles|feet|km|weeks|months|years|days|hours|minutes|dollars)\b/g,
    ),
  ].flatMap(({ 0: written, index }) =>
    once('unit', sentence, replaceAt(sentence, index, written.length, exchanged[written]!)),
  );

/** Another month. */
export const otherMonth: Change = (sentence, _, random) =>
  [
    ...sentence.matchAll(
      new RegExp(`\\b(?:${months.join('|')})\\b(?= \\d)|(?<=\\d )\\b(?:${months.join('|')})\\b`, 'g'),
    ),
  ].flatMap(({ 0: written, index }) => {
    const other = months[(months.indexOf(written) + 1 + Math.floor(random() * 10)) % 12]!;
    return once('date', sentence, replaceAt(sentence, index, written.length, other));
  });
