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
/** "Who taught Ada Morrel?", "Which doctor treated …?", "What is the name of …?"; not "Who is Ada Morrel?", "Which company employs …?". */
const asksForPerson =
  /(?<!\p{L})(?:[Ww]ho(?:m|se)?(?!\p{L})(?! (?:is|was) \p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]+)*\W*$)|(?:[Ww]hich|[Ww]hat) (?:\p{Ll}+ ){0,2}?(?:\p{Ll}{2,}(?:[eo]r|eon|ist|ian|ant|ee|man|woman)|person|colleague|nurse|friend|guest|girl|boy|child|judge|king|queen|prince|princess|chief|coach|guide|cook|chef|aunt|uncle|cousin|mayor|student|president|relative)s? (?!(?:did|does|do|is|was|are|were|has|had|have|can|could|will|would|should|may|must|of)(?!\p{L}))\p{Ll}+ (?:\p{Ll}+ )?\p{Lu}|(?:mother|father|wife|husband|partner|son|daughter|brother|sister|boss|successor|predecessor|teacher|trainer|coach|assistant|deputy|[Nn]ame)s?(?!\p{L}))/u;
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
  const asked = newNamesIn(before, '').filter((name) => name.includes(' '));
  // "What is wrong with Ada Morrel?" is about her, even if the answer names others; "Who is Ada's mother?" is about somebody else.
  const about = asked.length === 1 && !asksForPerson.test(before) ? asked[0] : undefined;
  const who = about ?? names.find((name) => name.includes(' ')) ?? asked[0];
  if (who === undefined) return undefined;
  const isOwner = /^his$/i.test(pronoun[1]!) || /^her$/i.test(pronoun[1]!);
  const rest = after(question, pronoun);
  return `${question.slice(0, pronoun.index)}${isOwner && /^ \p{L}/u.test(rest) ? `${who}’s` : who}${rest}`;
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
