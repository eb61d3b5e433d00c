/**
 * Verbs whose meaning is in their particle: "Screen is switched off" says nothing about "How do I switch it on?", though both say
 * "switch". English only.
 */
import type { AnalysedQuestion } from '../question/analyse.ts';
import { stemOf } from '../text/words.ts';
import type { Strengths } from './term-matcher.ts';

const opposites: Readonly<Record<string, string>> = {
  on: 'off',
  off: 'on',
  in: 'out',
  out: 'in',
  up: 'down',
  down: 'up',
};
/** A verb and its particle, with at most three words between them: "turn the heating down". */
const pattern =
  /\b(switch|turn|plug|log|sign|check|clock|lock|put|go|move|scale|roll|load|hook|fold|wind|pull|slow|speed|power)(?:s|es|ed|ing|ged|ging|ned)?(?: (?!and\b|or\b)[\p{L}'’-]+){0,3}? (on|off|in|out|up|down)\b/giu;

/** A function that says whether a text has a verb of the question with the opposite particle, and never with its own. */
export function createOppositeCheck(question: string): (text: string) => boolean {
  const asked = verbsIn(question);
  const contrary = asked.map((verb) => verb.replace(/\w+$/, (particle) => opposites[particle]!));
  return (text) => {
    if (asked.length === 0) return false;
    const said = verbsIn(text);
    return contrary.some((verb) => said.includes(verb)) && !asked.some((verb) => said.includes(verb));
  };
}

/** Verbs that mean the same with the same particle. */
const same = /^(?:switch|turn|power) (?=on$|off$)/;

/**
 * Raises the term for the verb of a question such as "How do I turn it on?" in the texts, in their order, that say it by any of these
 * verbs. Where there are any, it is taken from those that have the verb alone: "a quarter turn".
 */
export function raiseSameParticle(
  { asked, terms, language }: AnalysedQuestion,
  texts: readonly string[],
  strengths: readonly Strengths[],
): void {
  const verb = language === undefined ? verbsIn(asked).find((each) => same.test(each)) : undefined;
  const term = verb === undefined ? -1 : terms.findIndex(({ stem }) => stem === stemOf(verb.split(' ')[0]!));
  if (term < 0) return;
  const particle = verb!.replace(same, '');
  const isSaid = texts.map((text) =>
    verbsIn(text).some((each) => same.test(each) && each.replace(same, '') === particle),
  );
  if (!isSaid.includes(true)) return;
  isSaid.forEach((said, i) => {
    strengths[i]![term] = said ? 1 : 0;
  });
}

/** "switch on" for "switches the radio on". */
function verbsIn(text: string): string[] {
  return [...text.matchAll(pattern)].map(([, verb, particle]) => `${verb} ${particle}`.toLowerCase());
}
