/**
 * Dates in the forms of several languages: "14 May 1931", "May 14, 1931", "1931-05-14", "14. Mai 1931", "1931年5月14日", "May 1931",
 * "1931", "the 1950s". A full date entails the month and the year, never the reverse.
 */
import { monthNumbers } from '../../../../base/text/dates/months.ts';
import type { Token } from './read-text.ts';

export interface FoundDate {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  /** Years that it covers: 10 for "the 1950s". */
  readonly span?: number;
  /** Index of its first token, and of the one after its last. */
  readonly from: number;
  readonly to: number;
}

/** By names without accents, as the words of a text are read. */
const monthOf = new Map(
  [...monthNumbers].map(([name, number]) => [name.normalize('NFD').replace(/\p{M}/gu, ''), number] as const),
);

/** The dates of a sentence, in order. */
export function readDates(tokens: readonly Token[]): FoundDate[] {
  const found: FoundDate[] = [];
  for (let at = 0; at < tokens.length; ) {
    const date = readDate(tokens, at);
    if (date !== undefined) found.push(date);
    at = date?.to ?? at + 1;
  }
  return found;
}

/** Whether a source that gives `found` gives `said`. */
export function entailsDate(found: FoundDate, said: FoundDate): boolean {
  if (said.span !== undefined && said.year !== undefined)
    return (
      found.year !== undefined &&
      found.year >= said.year &&
      found.year < said.year + said.span &&
      (found.span ?? 1) <= said.span
    );
  return (['year', 'month', 'day'] as const).every(
    (part) => said[part] === undefined || (found[part] === said[part] && found.span === undefined),
  );
}

/** Whether both cannot be the same day: a part that both give differs. */
export function excludesDate(found: FoundDate, said: FoundDate): boolean {
  if (found.span !== undefined || said.span !== undefined) return false;
  return (['year', 'month', 'day'] as const).some(
    (part) => said[part] !== undefined && found[part] !== undefined && found[part] !== said[part],
  );
}

function readDate(tokens: readonly Token[], at: number): FoundDate | undefined {
  const token = tokens[at]!;
  const next = tokens[at + 1];
  if (token.kind === 'number') {
    const numeric = readNumeric(tokens, at) ?? readIdeographic(tokens, at);
    if (numeric !== undefined) return numeric;
    const dayFirst = readDay(token);
    const skip = next?.text === '.' || next?.lower === 'de' ? 1 : 0;
    const month = monthAt(tokens, at + 1 + skip, true);
    if (dayFirst !== undefined && month !== undefined)
      return withYear(tokens, { day: dayFirst, month, from: at, to: at + 2 + skip });
    return readYear(tokens, at);
  }
  if (/^\d+(?:st|nd|rd|th)$/.test(token.lower)) {
    const of = next?.lower === 'of' ? 1 : 0;
    const month = monthAt(tokens, at + 1 + of, true);
    if (month !== undefined)
      return withYear(tokens, { day: Number.parseInt(token.lower, 10), month, from: at, to: at + 2 + of });
  }
  const decade = /^(\d{3}0)s$/.exec(token.lower)?.[1];
  if (decade !== undefined) return { year: Number(decade), span: 10, from: at, to: at + 1 };
  const month = monthAt(tokens, at, false);
  if (month === undefined) return undefined;
  const day = next === undefined ? undefined : readDay(next);
  if (day !== undefined && next!.text.length <= 4) {
    return withYear(tokens, { month, day, from: at, to: at + 2 });
  }
  return withYear(tokens, { month, from: at, to: at + 1 });
}

/** "May" and "March" are words, too: alone they are months only after a preposition or before a year. */
function monthAt(tokens: readonly Token[], at: number, isAfterDay: boolean): number | undefined {
  const token = tokens[at];
  const month = token === undefined || token.kind === 'mark' ? undefined : monthOf.get(token.lower);
  if (month === undefined || isAfterDay) return month;
  if (!['may', 'march', 'mar', 'mai', 'mei', 'mars', 'sep', 'dec', 'august'].includes(token!.lower)) return month;
  const [before, next] = [tokens[at - 1]?.lower ?? '', tokens[at + 1]];
  const isTimed = /^(?:in|of|since|until|by|from|to|during|im|en|le|early|late|mid|before|after|and|between)$/.test(
    before,
  );
  return isTimed || (next?.kind === 'number' && /^\d{1,4}$/.test(next.stem)) ? month : undefined;
}

function readDay(token: Token): number | undefined {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(token.lower)?.[1];
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? Number(day) : undefined;
}

function withYear(tokens: readonly Token[], date: FoundDate): FoundDate {
  const skip = /^[,.]$|^(?:of|de|del)$/.test(tokens[date.to]?.lower ?? '') ? 1 : 0;
  const year = yearOf(tokens[date.to + skip]);
  return year === undefined ? date : { ...date, year, to: date.to + skip + 1 };
}

function yearOf(token: Token | undefined): number | undefined {
  return token?.kind === 'number' && /^(?:1\d|20)\d\d$/.test(token.text) ? Number(token.stem) : undefined;
}

/** A bare number is a year unless it counts something: "1,940 metres" and "1200 photographs" do. */
function readYear(tokens: readonly Token[], at: number): FoundDate | undefined {
  const year = yearOf(tokens[at]);
  if (year === undefined) return undefined;
  const [before, next] = [tokens[at - 1]?.lower ?? '', tokens[at + 1]];
  const isTimed =
    /^(?:in|since|until|by|from|to|of|before|after|during|and|between|early|late|mid|around|circa|year|the|im|en|seit|depuis|bis|und|et|or|through|[(),–—|-])$/.test(
      before,
    );
  const counts =
    next !== undefined &&
    next.kind !== 'mark' &&
    next.kind !== 'function' &&
    !/^(?:edition|season|election|championship)/.test(next.lower);
  return isTimed || !counts ? { year, from: at, to: at + 1 } : undefined;
}

/** 1931-05-14 and 14.05.1931. */
function readNumeric(tokens: readonly Token[], at: number): FoundDate | undefined {
  const [first, dash, second, dash2, third] = tokens.slice(at, at + 5);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(first!.text);
  if (dotted !== null)
    return { day: Number(dotted[1]), month: Number(dotted[2]), year: Number(dotted[3]), from: at, to: at + 1 };
  if (dash?.text !== '-' || dash2?.text !== '-' || second?.kind !== 'number' || third?.kind !== 'number')
    return undefined;
  const year = yearOf(first);
  const [month, day] = [Number(second.stem), Number(third.stem)];
  return year !== undefined && month >= 1 && month <= 12 && day >= 1 && day <= 31
    ? { year, month, day, from: at, to: at + 5 }
    : undefined;
}

/** 1931年5月14日 */
function readIdeographic(tokens: readonly Token[], at: number): FoundDate | undefined {
  const signs = ['年', '月', '日'];
  const parts: number[] = [];
  let to = at;
  let sign = signs.indexOf(tokens[at + 1]?.text ?? '');
  if (sign === -1) return undefined;
  const first = sign;
  while (sign < 3 && tokens[to]?.kind === 'number' && tokens[to + 1]?.text === signs[sign]) {
    parts[sign] = Number(tokens[to]!.stem);
    to += 2;
    sign += 1;
  }
  if (first === 2) return undefined;
  const [year, month, day] = parts;
  return {
    ...(year === undefined ? {} : { year }),
    ...(month === undefined ? {} : { month }),
    ...(day === undefined ? {} : { day }),
    from: at,
    to,
  };
}
