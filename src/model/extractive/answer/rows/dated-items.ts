/**
 * The first or the last of what a list has by its dates: "When is the last concert?" of a list with a concert a line. For the next
 * one all of them are quoted, as an answer does not know what day it is.
 */

import { type Day, dayIn } from '../../../../base/text/dates/days.ts';
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { questionWords } from '../../question/question-words.ts';
import { notEvents } from '../../question/superlative/superlative.ts';
import { sortKeysOf } from '../../text/chronology.ts';
import { isOfMeeting } from '../../text/document-date.ts';
import { type ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import { readWords } from '../../text/words.ts';
import type { WritablePiece } from '../write-pieces.ts';

/** How many items an answer shows, and how many words an item has before it counts as prose. Set by hand. */
const maxItems = 12;
const maxWords = 24;

const asks = questionWords('when', 'where', 'what', 'which', 'who');
const ranks = {
  last: 'last|final|letzte[rsnm]?|derni(?:er|ère)|últim[oa]|ultim[oa]|laatste',
  first: 'first|erste[rsnm]?|premi(?:er|ère)|primer[oa]?|prim[oa]|eerste|primeir[oa]',
  next: 'next|nächste[rsnm]?|prochaine?|próxim[oa]|prossim[oa]|volgende',
};
const patterns = Object.entries(ranks).map(([rank, words]) => ({
  rank: rank as keyof typeof ranks,
  pattern: new RegExp(
    `^\\P{L}*(?:and )?(?:${asks})(?!\\p{L}).{0,60}?(?<!\\p{L})(${words}) (?!(?:${notEvents})(?!\\p{L}))(\\p{L}{3,})(?: (\\p{L}{3,}))?`,
    'iu',
  ),
}));
/** What any dated line is, and what a list of them is of, as written. */
const anything =
  /^(?:events?|things?|dates?|appointments?|items?|entry|entries|activity|activities|year|season|programme|program|calendar|list|plan|place|happens?|veranstaltung|termin|jahr|saison|programm|événement|évènement|année|programme|evento|fecha|año|temporada|actividad)$/i;

/** Items without a day in a list of days, for each with one. Set by hand. */
const maxOthers = 0.5;

interface Item {
  readonly source: Source;
  readonly unit: ReadUnit;
  readonly day: Day;
}

/** The items of one list that the question asks for by their dates; none for other questions. */
export function quoteDatedItems(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece[] {
  const wanted = readWanted(question.asked);
  if (wanted === undefined) return [];
  // "Next meeting: 8 April" says it itself.
  const written = wanted.nouns.map((noun) => `${wanted.word} ${noun}`.toLowerCase());
  if (sources.some(({ text }) => written.some((each) => text.toLowerCase().includes(each)))) return [];
  const lists = listsIn(question, sources).flatMap((list) => itemsAsked(list, wanted, question));
  const best = lists.filter(({ isNamed }) => isNamed);
  const [found, ...others] = best.length > 0 ? best : lists;
  if (found === undefined || others.length > 0 || found.items.length < 2) return [];
  if (wanted.rank === 'next') return found.items.length > maxItems ? [] : found.items.map(toPiece);
  const sortKeys = sortKeysOf(found.items.map(({ day }) => day));
  if (sortKeys === undefined) return [];
  const extreme = wanted.rank === 'last' ? Math.max(...sortKeys) : Math.min(...sortKeys);
  return found.items.filter((_, at) => sortKeys[at] === extreme).map(toPiece);
}

function toPiece({ source, unit }: Item): WritablePiece {
  return { source, units: [unit] };
}

interface Wanted {
  readonly rank: keyof typeof ranks;
  /** The word for it, and the one after it, as written; of "next board meeting" either may be said after it. */
  readonly word: string;
  readonly noun: string;
  readonly nouns: readonly string[];
}

function readWanted(question: string): Wanted | undefined {
  for (const { rank, pattern } of patterns) {
    const found = pattern.exec(question);
    if (found !== null) {
      const nouns = found.slice(2).filter((noun) => noun !== undefined);
      return { rank, word: found[1]!, noun: found[2]!, nouns };
    }
  }
  return undefined;
}

interface List {
  readonly items: Item[];
  /** How many other items are below the same heading. */
  others: number;
  /** Stems of the title of its page and the headings above it. */
  readonly above: readonly string[];
}

/** Lists of which each item names a day, in the order of the evidence. */
function listsIn({ language }: AnalysedQuestion, sources: readonly Source[]): List[] {
  const lists = new Map<string, List>();
  for (const source of sources.toSorted((a, b) => a.start - b.start)) {
    const { units, titleStems, headingStems } = readPassage(source, language);
    // What was spoken of at a meeting is no list of meetings.
    if (isOfMeeting(source)) continue;
    for (const unit of units) {
      if (unit.kind === 'row' || unit.kind === 'code') continue;
      const day = unit.words.length > maxWords ? undefined : dayIn(unit.text);
      if (unit.kind !== 'item' && (day === undefined || !beginsWithDay(unit.text))) continue;
      const key = `${source.url}\n${unit.section}`;
      const above = [...titleStems, ...headingStems, ...unit.sectionStems];
      const list = lists.get(key) ?? { items: [], others: 0, above };
      lists.set(key, list);
      if (day === undefined) list.others += 1;
      else list.items.push({ source, unit, day });
    }
  }
  return [...lists.values()].filter(({ items, others }) => others <= maxOthers * items.length);
}

function beginsWithDay(text: string): boolean {
  return /^(?:\p{L}+[.,]?\s+){0,2}\d/u.test(text) && dayIn(text.split(/\s+/).slice(0, 4).join(' ')) !== undefined;
}

/** The items that a question is about: all of a list that is named by what they are, else those that say it. */
function itemsAsked(
  { items, above }: List,
  { word, noun }: Wanted,
  question: AnalysedQuestion,
): { readonly items: readonly Item[]; readonly isNamed: boolean }[] {
  const { terms, language } = question;
  const readWidely = createWideReader(question);
  const own = readWidely(above);
  const [ranking, stem] = [word, noun].map((each) => readWords(each, language)[0]?.stem);
  const anyStems = new Set(
    readWords(question.asked, language).flatMap(({ stem, start, end }) =>
      anything.test(question.asked.slice(start, end)) ? [stem] : [],
    ),
  );
  const strengths = items.map(({ unit }) => readWidely(unit.words.map((word) => word.stem)));
  const isFitting = (at: number) =>
    terms.every((term, i) => term.stem === ranking || anyStems.has(term.stem) || own[i]! > 0 || strengths[at]![i]! > 0);
  const found = items.filter((_, at) => isFitting(at));
  const isNamed = terms.some(
    (term, i) => term.stem === stem && (own[i]! > 0 || strengths.some((each) => each[i]! > 0)),
  );
  return found.length < 2 ? [] : [{ items: found, isNamed }];
}
