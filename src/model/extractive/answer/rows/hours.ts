/**
 * The hours that decide whether something is open on a day: "Tuesday to Friday | 9:00–18:00" for "Are you open on Wednesday?". Where none
 * of them has the day, all are quoted, as a reader sees that it is missing.
 */
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { type ReadPassage, type ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import { hasHours, hasTime, weekdaysIn } from '../../text/weekdays.ts';
import { readWords } from '../../text/words.ts';
import type { WritablePiece } from '../write-pieces.ts';

const open =
  'open(?:ed|ing)?|closed?|shut|geöffnet|offen|geschlossen|besetzt|ouverte?s?|fermée?s?|abiert[oa]s?|cerrad[oa]s?|apert[oaie]|chius[oaie]|geopend|gesloten|abert[oa]s?|fechad[oa]s?';
const asksIfOpen = new RegExp(`(?<!\\p{L})(?:${open})(?!\\p{L})`, 'iu');
/** A question for all hours of what it names. */
const asksWhen =
  /^\P{L}*(?:when|(?:at )?what time|wann|quand|à quelle heure|cuándo|a qué hora|quando|wanneer)(?!\p{L})/iu;
const saysHours = new RegExp(
  `(?<!\\p{L})(?:${open}|hours|Öffnungszeiten|Geschäftszeiten|horaires?|horarios?|horários?|orario?|openingstijden)(?!\\p{L})`,
  'iu',
);
/** What is open, where no name is needed for it. */
const anyPlace =
  /^(?:shop|store|office|place|business|Laden|Geschäft|Büro|magasin|boutique|bureau|tienda|oficina|negozio|ufficio|winkel|kantoor|loja)$/i;
/** Units of hours that are quoted together. Set by hand. */
const maxUnits = 8;

/** Hours below one heading, or of one table. */
interface Hours {
  readonly source: Source;
  readonly passage: ReadPassage;
  readonly units: ReadUnit[];
}

/** The hours that a question for a day is answered by; undefined for other questions, and where it is not clear whose hours they are. */
export function quoteHours(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  if (!asksIfOpen.test(question.asked)) return undefined;
  const asked = weekdaysIn(question.asked);
  if (asked.size === 0 ? !asksWhen.test(question.asked) : asked.size === 7) return undefined;
  const all = sources.flatMap((source) => hoursIn(source, question));
  const found = ofSubject(question, all);
  const [hours] = found;
  if (hours === undefined || found.length > 1 || hours.units.length > maxUnits) return undefined;
  // Without a day, only what says itself that something is open, and at what time: "closed on Monday" alone says no hours.
  const isSaid = (says: (text: string) => boolean) => hours.units.some(({ text }) => says(text));
  if (asked.size === 0 && !(isSaid((text) => asksIfOpen.test(text)) && isSaid(hasTime))) return undefined;
  const meant = hours.units.filter(({ text }) => [...weekdaysIn(text)].some((day) => asked.has(day)));
  return { source: hours.source, units: meant.length > 0 ? meant : hours.units };
}

function hoursIn(source: Source, { language }: AnalysedQuestion): Hours[] {
  const passage = readPassage(source, language);
  const found = new Map<string, Hours>();
  for (const unit of passage.units) {
    if (weekdaysIn(unit.text).size === 0 || !hasHours(unit.text)) continue;
    // A sentence stands for itself, the lines of a list and the rows of a table for one another.
    const isListed = unit.kind !== 'sentence' || /^[^.!?]{1,40}:? ?\d/.test(unit.text);
    const key = isListed ? `${unit.section}\n${unit.header}` : `${unit.start}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { source, passage, units: [unit] });
    else known.units.push(unit);
  }
  return [...found.values()];
}

/** Those of what the question names; of what has opening hours where it names nothing. */
function ofSubject(question: AnalysedQuestion, all: readonly Hours[]): readonly Hours[] {
  const words = readWords(question.text, question.language);
  const subject = question.terms.flatMap(({ at }, term) => {
    const { start, end } = words[at]!;
    const written = question.text.slice(start, end);
    return asksIfOpen.test(written) || weekdaysIn(written).size > 0 || anyPlace.test(written) ? [] : [term];
  });
  const isOfHours = ({ units }: Hours) =>
    units.some(({ text, section, header }) => saysHours.test(`${section}\n${header}\n${text}`));
  if (subject.length === 0) return all.filter(isOfHours);
  const readWidely = createWideReader(question);
  return all.filter(({ source, passage, units }) => {
    const stems = [
      ...passage.titleStems,
      ...passage.headingStems,
      // The first line of a plain text is its title; that of a later passage is not.
      ...(source.start === 0 ? (passage.units[0]?.words ?? []) : []).map(({ stem }) => stem),
      ...units.flatMap((unit) => [...unit.sectionStems, ...unit.words.map(({ stem }) => stem)]),
    ];
    const strengths = readWidely(stems);
    return subject.every((term) => strengths[term]! > 0);
  });
}
