/**
 * What the next or yearly one is of: "Next meeting: 9 May" says when a next one is, and does not answer "When is the next concert?", nor
 * a yearly premium the question for the annual bonus.
 */
import { answerStrength } from '../../match/everyday.ts';
import type { Strengths } from '../../match/term-matcher.ts';
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { notEvents } from '../../question/superlative/superlative.ts';
import { fileNameOf, isOfMeeting } from '../../text/document-date.ts';
import { readWords } from '../../text/words.ts';
import type { Candidate } from '../features.ts';
import type { Detail } from './details.ts';

const recurring =
  'next|annual|yearly|nächste[rsnm]?|jährliche[rsnm]?|prochaine?s?|próxim[oa]s?|prossim[oaie]|volgende|eerstvolgende';
/** The words after it, up to one that begins something else: "next dentist appointment", "next train" of "next train to Kiel". */
const phraseAsked = new RegExp(
  String.raw`(?<!\p{L})(?:${recurring})((?:[ -](?!(?:to|of|in|on|at|for|from|by|with|and|or|is|are|be|will|due|held|planned|scheduled|start|begin|end|open|close|take|happen|leave|depart|arrive|come|go|im|in|am|um|von|für|mit|statt|der|des|de|du|del|la|le|à|en|au|van|voor)s?(?!\p{L}))\p{L}[\p{L}'’]*){1,3})`,
  'iu',
);
/** What any next one is. */
const anything = new RegExp(
  String.raw`^(?:${notEvents}|one|events?|things?|dates?|appointments?|slots?|occasions?|opportunit\p{L}+|chance|available|possible|free|amount|termine?|veranstaltung(?:en)?|rendez-vous|événements?|dates?|fechas?|cita|eventos?|appuntament[oi]|afspraak)$`,
  'iu',
);
/** What an amount of money says itself. */
const amounts =
  /^(?:fees?|costs?|price|charges?|rates?|rent|payment|subscription|contribution|dues|premium|expens\p{L}+|total|sum|beitrag|gebühr|preis|kosten|miete|cotisation|prix|tarif|cuota|precio)$/iu;
const nextNoun = new RegExp(String.raw`(?<!\p{L})(?:${recurring}) (?!(?:one|date|time)(?!\p{L}))\p{L}{3}`, 'iu');

/** "of paper" after "the next collection": what that is of. */
const complement =
  /^[ -](?:of|for|von|vom|der|des|für|de|du|des|del|della|van) (?:(?:the|our|my|die|das|der|den|la|le|les|el|los|las|l['’]|il) ?)?(\p{L}[\p{L}'’]*)/iu;

interface AskedOccurrence {
  /** The terms for what the question asks the next or yearly one of. */
  readonly terms: readonly number[];
  /** What that is of: heating, of its next inspection. */
  readonly of: number;
}

/** What the question asks the next or yearly one of; undefined for anything. */
function occurrenceAskedFor({ terms, asked, language }: AnalysedQuestion): AskedOccurrence | undefined {
  const found = phraseAsked.exec(asked);
  const words = (found?.[1] ?? '').split(/[ -]/).filter((word) => word !== '' && !anything.test(word));
  const head = words.at(-1);
  if (found === null || head === undefined || amounts.test(head)) return undefined;
  const termOf = (word: string) => {
    const stem = readWords(word, language)[0]?.stem;
    return terms.findIndex((term) => term.stem === stem);
  };
  const of = complement.exec(asked.slice(found.index + found[0].length))?.[1];
  // "ferry" of "When does the next ferry sail?"
  const named = words.map(termOf).filter((term) => term >= 0);
  return named.length === 0 ? undefined : { terms: named, of: of === undefined ? -1 : termOf(of) };
}

/** Disqualifies units that do not say of what the next or yearly one is asked, in other words or in the headings above them. */
export function disqualifyOtherOccurrences(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  const wanted = occurrenceAskedFor(question);
  if (wanted === undefined) return;
  const readWidely = createWideReader(question);
  const fileStrengths = new Map<string, Strengths>();
  candidates.forEach(({ unit, source }, i) => {
    const file = fileNameOf(source);
    if (!fileStrengths.has(file)) {
      const stems = readWords(file, question.language).map(({ stem }) => stem);
      fileStrengths.set(file, readWidely(stems));
    }
    const { wide, above, before } = details[i]!;
    // Where it says "next" of something, a synonym suffices. Minutes are not of the next meeting.
    const isOfNext = nextNoun.test(unit.text);
    const least = isOfNext ? 0 : answerStrength;
    const isAbove = (term: number) =>
      Math.max(above[term]!, fileStrengths.get(file)![term]!) > least && (isOfNext || !isOfMeeting(source));
    // "Concert in the hall. Next one: 9 May"
    const isOfBefore = (term: number) => before[term]! > answerStrength && !isOfNext;
    const isOf = (term: number) => wide[term]! > least || isAbove(term) || isOfBefore(term);
    // "Paper: 10 May" says the next collection of paper, unless it is the next of something else.
    const isOfSame = wanted.of >= 0 && !isOfNext && Math.max(wide[wanted.of]!, before[wanted.of]!) > answerStrength;
    if (wanted.terms.some(isOf) || isOfSame || saysSameMembership(question.asked, unit.text)) return;
    details[i]!.isDisqualified = true;
    details[i]!.isAboutOther = true;
  });
}

const membership =
  /(?<!\p{L})(?:annual|yearly) (?:\p{L}+ )?(?:pass(?:es)?|tickets?|memberships?|subscriptions?|season tickets?|cards?)(?!\p{L})/iu;

/** A yearly pass is an annual membership. */
function saysSameMembership(asked: string, text: string): boolean {
  return membership.test(asked) && membership.test(text);
}
