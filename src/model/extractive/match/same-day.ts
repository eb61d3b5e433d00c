/** A day that a question names is said by any way to write it: "19.10.2025" has the "19. Oktober", and "2024-02-05" is in February. */

import { type Day, dayIn } from '../../../base/text/dates/days.ts';
import { monthAlone, monthNumbers } from '../../../base/text/dates/months.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { readWords } from '../text/words.ts';
import type { Strengths } from './term-matcher.ts';

/** Raises the strengths of texts, in their order, that name the day of the question: they have its figure and its month. */
export function raiseSameDay(
  { asked, terms, language }: AnalysedQuestion,
  texts: readonly string[],
  strengths: readonly Strengths[],
): void {
  const day = dayIn(asked);
  const words = readWords(asked, language);
  if (day === undefined) {
    const months = terms.flatMap(({ at }, term) => {
      const { start, end } = words[at] ?? { start: 0, end: 0 };
      const month = monthAlone(asked.slice(start, end));
      return month === undefined ? [] : [{ term, month }];
    });
    raiseSameMonth(months, texts, strengths);
    return;
  }
  const ofDay = terms.flatMap(({ at, digits }, term) => {
    const { start, end } = words[at] ?? { start: 0, end: 0 };
    const written = asked.slice(start, end);
    const isMonth = monthAlone(written) !== undefined || monthNumbers.get(written) === day.month;
    return isMonth || (digits && Number.parseInt(written, 10) === day.day) ? [term] : [];
  });
  texts.forEach((text, i) => {
    const said = dayIn(text);
    if (said === undefined || !isSame(day, said)) return;
    for (const term of ofDay) strengths[i]![term] = 1;
  });
}

/** "2024-02-05" */
const isoDay = /(?<!\d)\d{4}-(\d\d)-\d\d(?!\d)/g;

function raiseSameMonth(
  months: readonly { readonly term: number; readonly month: number }[],
  texts: readonly string[],
  strengths: readonly Strengths[],
): void {
  if (months.length === 0) return;
  texts.forEach((text, i) => {
    const said = new Set([...text.matchAll(isoDay)].map(([, month]) => Number(month)));
    for (const { term, month } of months) if (said.has(month)) strengths[i]![term] = 1;
  });
}

function isSame(one: Day, other: Day): boolean {
  const isOfYear = one.year === other.year || one.year === 0 || other.year === 0;
  return isOfYear && one.month === other.month && one.day === other.day;
}
