/**
 * What a follow-up refers to in the answer before it: "the second one you named", "When was she born?". The reference becomes
 * the name, so that the question can be understood, and searched for, by itself.
 */
import { markerPattern } from '../../../base/text/markers.ts';
import { ordinals } from '../../../base/text/numbers.ts';
import { sentencesOf } from '../../../base/text/sentences/sentence-ends.ts';
import { newNamesIn } from './new-names.ts';

/** What was asked and answered before. */
export interface Exchange {
  readonly question: string;
  /** Markdown. */
  readonly answer: string;
}

/** Characters of an answer in which names are looked for; set by hand: those that a search is given. */
const maxAnswer = 4_000;

const named = String.raw`(?: (?:that |which )?(?:you|were|was) (?:\p{Ll}+ )?(?:named|mentioned|listed|gave|said|told))`;
const counted = new RegExp(
  String.raw`\bthe (${ordinals.join('|')}|last|former|latter)(?:(?: (?:one|of (?:them|these|those))(?!\p{L}))${named}?|(?: \p{Ll}{3,20})?${named})`,
  'iu',
);
const either = /\bthe (former|latter)(?!\p{L})/iu;
const person = /(?<!\p{L})(he|she|him|his|her)(?!\p{L})/iu;

/** The question with the name of what it refers to; undefined if it refers to nothing that the answer names. */
export function resolveFollowUp(question: string, { question: before, answer }: Exchange): string | undefined {
  const names = namesOf(answer, before);
  const place = counted.exec(question) ?? either.exec(question);
  if (place !== null) {
    const name = names.at(indexOf(place[1]!.toLowerCase(), names.length));
    return name === undefined ? undefined : question.replace(place[0], () => name);
  }
  const pronoun = person.exec(question);
  if (pronoun === null || newNamesIn(question, '').length > 0) return undefined;
  const who = names.find((name) => name.includes(' ')) ?? newNamesIn(before, '').find((name) => name.includes(' '));
  if (who === undefined) return undefined;
  const isOwner = /^his$/i.test(pronoun[1]!) || /^her$/i.test(pronoun[1]!);
  return question.replace(pronoun[0], () => (isOwner && /^ \p{L}/u.test(after(question, pronoun)) ? `${who}’s` : who));
}

/** The names that the answer has beyond the question, in its order. */
function namesOf(answer: string, before: string): string[] {
  const plain = answer
    .slice(0, maxAnswer)
    .replace(markerPattern, ' ')
    .replace(/[*_`#>|]/g, ' ');
  const sentences = plain.split('\n').flatMap(sentencesOf);
  return [...new Set(sentences.flatMap((sentence) => newNamesIn(sentence.replace(/^\s*[-\d.)]*\s*/, ''), before)))];
}

function indexOf(word: string, count: number): number {
  if (word === 'last') return -1;
  if (word === 'former') return 0;
  if (word === 'latter') return Math.min(1, count - 1);
  return ordinals.indexOf(word);
}

function after(text: string, match: RegExpExecArray): string {
  return text.slice(match.index + match[0].length);
}
