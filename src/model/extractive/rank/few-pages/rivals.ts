/**
 * Whether a question names a thing that a few pages do not have, though they have others of its kind: the house insurance where
 * there is the car's, a green bin where there are a black and a blue one, bees where hens may be kept. What they say of those does
 * not answer.
 */
import { answerStrength } from '../../match/everyday.ts';
import { siblingsOf, synonymsInKind } from '../../match/exclusive-kinds.ts';
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { valueAskedBy } from '../../question/asked/asked-value.ts';
import { fileNameOf } from '../../text/document-date.ts';
import { type ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import { plainStems, readWords, type Word } from '../../text/words.ts';
import type { Candidate } from '../features.ts';
import type { Detail } from './details.ts';

/** What a thing is allowed to be by: "bees" of "Can I keep bees?", "Bienen" of "Darf ich Bienen halten?". */
const asksForLeave =
  /^\P{L}*(?:can|may|could|am i|are we|is it|are|is|do you|darf|dürfen|kann|können|sind|ist|puis-je|peut-on|pouvons-nous|est-ce que|ai-je le droit|puedo|podemos|se puede|se pueden|está|están)(?!\p{L})/iu;
/** What says it of the whole kind: "any other animal". */
const ofAny =
  /(?<!\p{L})(?:any|all|every|other|others|each|no|alle[rsnm]?|jede[rsnm]?|andere[rsnm]?|sonstige[rsnm]?|keine?[rsnm]?|toute?s?|tous|autres?|chaque|aucune?|tod[oa]s?|cualquier|otr[oa]s?|ningun[oa]?)(?!\p{L})/iu;
/** A name of the kind itself, "birds" for parrots: what has it may be about the thing. */
const kindNames =
  /(?<!\p{L})(?:animals?|pets?|birds?|reptiles?|insects?|vehicles?|sports?|(?:musical )?instruments?|meals?|food|waste|rubbish|trash|furniture|appliances?|rooms?|tiere?|haustiere?|vögel|fahrzeuge?|sportarten|instrumente?|mahlzeit(?:en)?|essen|müll|abfall|abfälle|möbel|geräte?|zimmer|räume?|animaux|animal|oiseaux|véhicules?|repas|déchets|meubles?|appareils?|animales|aves|pájaros|vehículos?|deportes?|comidas?|basura|residuos|muebles|aparatos)(?!\p{L})/iu;
/** "insurance for the house", "l'assurance de la maison" */
const joins =
  /^\s(?:of|for|on|für|vom|von|zum|zur|pour|de|du|des|del|para|sur)\s?(?:the|my|our|your|an?|die|der|das|den|dem|meine?[rsnm]?|la|le|les|l['’]|ma|mon|mes|el|los|las|mi|mis|une?|una?)?\s?$/i;

/** After these, "train" is what somebody does. */
const subject = /^(?:i|you|we|they|he|she|it|to|who)$/i;
/** What a thing does, "bus" of "When does the bus go?", is not named by it. */
const verb =
  /^(?:go|goes|leave|run|cost|start|begin|take|come|arrive|stop|open|close|drive|pay|need|work|look|get|give|make|fit|weigh|last|end|finish|return|depart|allowed|permitted|included|covered|live|help|stay|be|use|have|do)$/i;

/** Whether what the question names is missing while a rival of it is there. */
export function lacksAmongRivals(question: AnalysedQuestion, sources: readonly Source[]): boolean {
  const { asked, language, terms } = question;
  // A telephone number says nothing about the telephone.
  if (valueAskedBy(question.text) === 'contact') return false;
  const words = readWords(asked, language);
  const things = terms.flatMap(({ stem }, term) => {
    const at = words.findIndex((word) => word.stem === stem);
    const rivals = at < 0 ? [] : siblingsOf(stem, language);
    return rivals.length === 0
      ? []
      : [{ term, rivals, same: synonymsInKind(stem, language), heads: headsOf(words, at, question) }];
  });
  const isOfLeave = asksForLeave.test(asked);
  const named = things.filter(({ heads }) => heads.length > 0 || isOfLeave);
  if (named.length === 0) return false;
  const readWidely = createWideReader(question);
  const places = sources.flatMap((source) => {
    const { units, titleStems, headingStems } = readPassage(source, language);
    const fileStems = readWords(fileNameOf(source), language).map(({ stem }) => stem);
    return units.map((unit, at) => {
      const before = sentencesBefore(units, at).flatMap(({ words }) => plainStems(words));
      const above = [...fileStems, ...titleStems, ...headingStems, ...unit.sectionStems];
      const stems = [...above, ...before, ...plainStems(unit.words)];
      return { text: unit.text, stems: new Set(stems), strengths: readWidely(stems) };
    });
  });
  return named.some(({ term, rivals, same, heads }) => {
    const isRival = (stems: ReadonlySet<string>) => rivals.some((kind) => [...kind].some((stem) => stems.has(stem)));
    const headTerms = terms.flatMap(({ stem }, at) => (heads.includes(stem) ? [at] : []));
    const isSaidIn = ({ stems, strengths }: (typeof places)[number]) =>
      [...same].some((stem) => stems.has(stem)) ||
      (strengths[term]! > (isOfLeave ? 0 : answerStrength) && (isOfLeave || !isRival(stems)));
    const isOfHead = ({ strengths }: (typeof places)[number]) => headTerms.some((at) => strengths[at]! > 0);
    const saying = places.filter(isSaidIn);
    if (isOfLeave ? saying.length > 0 : saying.some(isOfHead)) return false;
    const others = places.filter((place) => {
      if (!isOfLeave && !headTerms.some((at) => place.stems.has(terms[at]!.stem))) return false;
      return isRival(place.stems);
    });
    return others.length > 0 && !(isOfLeave && others.some(({ text }) => ofAny.test(text)));
  });
}

/** Sentences of its paragraph from which a sentence may have what it is about: "The car … A deposit …". Set by hand. */
const maxBefore = 3;

function sentencesBefore(units: readonly ReadUnit[], at: number): readonly ReadUnit[] {
  const { kind, block } = units[at]!;
  if (kind !== 'sentence') return [];
  return units.slice(Math.max(0, at - maxBefore), at).filter((each) => each.kind === kind && each.block === block);
}

/** Where nothing says a thing of the question, those units cannot answer that say a rival of it: chairs sold, for sofas. */
export function markRivals(
  { asked, terms, language }: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  const stemsOf = ({ passage, unit }: Candidate) =>
    new Set([...passage.titleStems, ...passage.headingStems, ...unit.sectionStems, ...plainStems(unit.words)]);
  const words = readWords(asked, language);
  let all: readonly ReadonlySet<string>[] | undefined;
  for (const [term, { stem }] of terms.entries()) {
    const rivals = siblingsOf(stem, language, 'things');
    const at = words.findIndex((word) => word.stem === stem);
    if (rivals.length === 0 || isDone(words, at, asked)) continue;
    const same = synonymsInKind(stem, language);
    all ??= candidates.map(stemsOf);
    const isSaid = details.some(
      ({ wide, above }, i) =>
        wide[term]! > answerStrength || above[term]! > answerStrength || [...same].some((each) => all![i]!.has(each)),
    );
    if (isSaid) continue;
    candidates.forEach(({ unit }, i) => {
      const own = plainStems(unit.words);
      const isRival = own.some((each) => rivals.some((kind) => kind.has(each)));
      if (isRival && !ofAny.test(unit.text) && !kindNames.test(unit.text)) details[i]!.isDisqualified = true;
    });
  }
}

/** Whether a word is what somebody does: "she trains". */
function isDone(words: readonly Word[], at: number, asked: string): boolean {
  const before = words[at - 1];
  return before !== undefined && subject.test(asked.slice(before.start, before.end));
}

/** The stems of the words that a thing is said with: "insurance" of "house insurance" and of "insurance for the house". */
function headsOf(words: readonly Word[], at: number, { asked, byStem }: AnalysedQuestion): string[] {
  const [{ start, end }, after] = [words[at]!, words[at + 1]];
  const isBefore =
    after !== undefined &&
    !isDone(words, at, asked) &&
    /^[ -]$/.test(asked.slice(end, after.start)) &&
    !verb.test(asked.slice(after.start, after.end));
  const next = isBefore ? [after] : [];
  const head = words.slice(0, at).findLast(({ stem }) => byStem.has(stem));
  const isJoined = head !== undefined && joins.test(asked.slice(head.end, start));
  return [...next, ...(isJoined ? [head] : [])].map(({ stem }) => stem).filter((stem) => byStem.has(stem));
}
