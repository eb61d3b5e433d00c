/**
 * Whether a question names a thing that a few pages do not have, though they have others of its kind: the house insurance where there is
 * the car's, a green bin where there are a black and a blue one, bees where hens may be kept. What they say of those does not answer.
 */
import { answerStrength } from '../match/everyday.ts';
import { rivalsOf, samesOf } from '../match/kinds.ts';
import { plainStems } from '../match/term-matcher.ts';
import { createWideReader } from '../match/wide-reader.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { valueAskedBy } from '../question/asked-value.ts';
import { fileNameOf } from '../text/document-date.ts';
import { readPassage, type Source } from '../text/passages.ts';
import { readWords, type Word } from '../text/words.ts';

/** What a thing is allowed to be by: "bees" of "Can I keep bees?", "Bienen" of "Darf ich Bienen halten?". */
const asksForLeave =
  /^\P{L}*(?:can|may|could|am i|are we|is it|are|is|do you|darf|dürfen|kann|können|sind|ist|puis-je|peut-on|pouvons-nous|est-ce que|ai-je le droit|puedo|podemos|se puede|se pueden|está|están)(?!\p{L})/iu;
/** What says it of the whole kind: "any other animal". */
const ofAny =
  /(?<!\p{L})(?:any|all|every|other|others|each|no|alle[rsnm]?|jede[rsnm]?|andere[rsnm]?|sonstige[rsnm]?|keine?[rsnm]?|toute?s?|tous|autres?|chaque|aucune?|tod[oa]s?|cualquier|otr[oa]s?|ningun[oa]?)(?!\p{L})/iu;
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
  // A telephone number is none of the telephone.
  if (valueAskedBy(question.text) === 'contact') return false;
  const words = readWords(asked, language);
  const things = terms.flatMap(({ stem }, term) => {
    const at = words.findIndex((word) => word.stem === stem);
    const rivals = at < 0 ? [] : rivalsOf(stem, language);
    return rivals.length === 0
      ? []
      : [{ term, rivals, same: samesOf(stem, language), heads: headsOf(words, at, question) }];
  });
  const isOfLeave = asksForLeave.test(asked);
  const named = things.filter(({ heads }) => heads.length > 0 || isOfLeave);
  if (named.length === 0) return false;
  const readWidely = createWideReader(question);
  const places = sources.flatMap((source) => {
    const { units, titleStems, headingStems } = readPassage(source, language);
    const fileStems = readWords(fileNameOf(source), language).map(({ stem }) => stem);
    return units.map((unit) => {
      const stems = [...fileStems, ...titleStems, ...headingStems, ...unit.sectionStems, ...plainStems(unit.words)];
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

/** The stems of the words that a thing is said with: "insurance" of "house insurance" and of "insurance for the house". */
function headsOf(words: readonly Word[], at: number, { asked, byStem }: AnalysedQuestion): string[] {
  const [{ start, end }, after] = [words[at]!, words[at + 1]];
  const before = words[at - 1];
  const isVerb = before !== undefined && subject.test(asked.slice(before.start, before.end));
  const isBefore =
    after !== undefined &&
    !isVerb &&
    /^[ -]$/.test(asked.slice(end, after.start)) &&
    !verb.test(asked.slice(after.start, after.end));
  const next = isBefore ? [after] : [];
  const head = words.slice(0, at).findLast(({ stem }) => byStem.has(stem));
  const isJoined = head !== undefined && joins.test(asked.slice(head.end, start));
  return [...next, ...(isJoined ? [head] : [])].map(({ stem }) => stem).filter((stem) => byStem.has(stem));
}
