/**
 * What the next or yearly one is of: "Next meeting: 9 May" says when a next one is, and does not answer "When is the next concert?", nor
 * a yearly premium the question for the annual bonus.
 */
import { answerStrength } from '../../match/everyday.ts';
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

/** The term for what the question asks the next or yearly one of; -1 for none. */
function termAskedFor({ terms, asked, language }: AnalysedQuestion): number {
  const phrase = phraseAsked.exec(asked)?.[1] ?? '';
  const head = phrase
    .trim()
    .split(/[ -]/)
    .findLast((word) => word !== '' && !anything.test(word));
  if (head === undefined || amounts.test(head)) return -1;
  const stem = readWords(head, language)[0]?.stem;
  return terms.findIndex((term) => term.stem === stem);
}

/** Disqualifies units that do not say of what the next or yearly one is asked, in other words or in the headings above them. */
export function disqualifyOtherOccurrences(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  const term = termAskedFor(question);
  if (term < 0) return;
  const readWidely = createWideReader(question);
  const fileStrengths = new Map<string, number>();
  candidates.forEach(({ unit, source }, i) => {
    const file = fileNameOf(source);
    if (!fileStrengths.has(file)) {
      const stems = readWords(file, question.language).map(({ stem }) => stem);
      fileStrengths.set(file, readWidely(stems)[term]!);
    }
    const { wide, above, before } = details[i]!;
    // Where it says "next" of something, a synonym suffices. Minutes are not of the next meeting.
    const isOfNext = nextNoun.test(unit.text);
    const least = isOfNext ? 0 : answerStrength;
    const isAbove = Math.max(above[term]!, fileStrengths.get(file)!) > least && (isOfNext || !isOfMeeting(source));
    // "Concert in the hall. Next one: 9 May"
    const isOfBefore = before[term]! > answerStrength && !isOfNext;
    if (wide[term]! > least || isAbove || isOfBefore) return;
    details[i]!.isDisqualified = true;
    details[i]!.isAboutOther = true;
  });
}
