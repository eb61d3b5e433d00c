/** Who has a post that several may have: the swimming coach does not answer who the football coach is, nor Ben's coach who Anna's is. */
import { type AnalysedQuestion, stopStems } from '../../question/analyse.ts';
import { readWords, type Word } from '../../text/words.ts';
import type { Candidate } from '../features.ts';
import type { Detail } from './details.ts';

const whoIs =
  /^\P{L}*(?:and |so )?(?:who(?:['’]s| is| was| are| were)|wer (?:ist|war|sind)|qui (?:est|était|sont)|quién (?:es|era|fue)|chi (?:è|era|sono)|quem (?:é|era)|wie (?:is|was)) (?:(?:the|our|your|my|their|his|her|der|die|das|unser|unsere|le|la|les|notre|el|los|las|nuestr[oa]|il|lo|gli|o|a|os|as|de|het|onze) |l['’])?/iu;
/** Between a post and what it is of. */
const joins = `(?:(?:of|for|der|des|vom|von|für|de|du|del|dell[aoe]|di|do|da|dos|das|van|voor|para|pour|per) (?:(?:the|our|den|dem|la|le|les|el|los|las|de|het) |(?:la |l)['’])?|(?:d|dell)['’])`;
const joinsNext = new RegExp(`^ ${joins}$`, 'iu');
/** What any post may be called by, which says nothing of whose it is. */
const ofAny =
  /^(?:current|present|new|old|main|own|only|next|regular|local|responsible|official|professional|qualified|experienced|club|team|company|school|event|group|project|society|association|organi[sz]ation|board|committee|department|office|site|year|season|day|week|month|vereins?|équipe|école|société|equipo|escuela|squadra|scuola|mr|mrs|ms|miss|dr|prof|sir|rev)$/i;
/** And what says in a text that somebody has it for now, or how well. */
const ofSome =
  /^(?:former|previous|acting|interim|honorary|outgoing|incoming|long|longtime|first|second|third|last|other|another|head|chief|general|managing|executive|resident|founding|permanent|temporary|senior|junior|lead|good|great|best|favourite|favorite|elected|appointed|volunteer|part|full|time)$/i;
/** Before the words that a post is named with. */
const before =
  /(?:^|[.,:;(|–—]\s*|(?<!\p{L})(?:the|our|an?|his|her|their|my|your|its|is|was|as|and)\s+)((?:\p{L}[\p{L}'’-]*\s){1,3})$/iu;
const possessive = /(\p{L}+['’]s? )$/iu;

/** The post that a question asks after, and the terms that say which of several. */
function readPost({ asked, terms, language }: AnalysedQuestion): { head: string; which: number[] } | undefined {
  const start = whoIs.exec(asked)?.[0].length;
  if (start === undefined) return undefined;
  const all = readWords(asked, language);
  const words = all.filter((word) => word.start >= start);
  const at = words.findIndex((_, i) => lastOfPost(asked, words, i) !== undefined);
  const named = at < 0 ? words : words.slice(0, lastOfPost(asked, words, at)! + 1);
  // In the other languages, what it is of comes after it.
  const head = (language === undefined ? named.at(-1) : named[0]) as Word | undefined;
  if (head === undefined || (language !== undefined && named.length > 1)) return undefined;
  const isTelling = ({ start: from, end, stem }: Word) =>
    !ofAny.test(asked.slice(from, end).replace(/['’]s?$/, '')) && terms.some((term) => term.stem === stem);
  const left = named.filter((word) => word !== head && isTelling(word));
  const right = at < 0 ? [] : words.slice(at).filter(isTelling);
  const telling = left.length > 0 ? left.slice(-1) : right;
  const which = telling.flatMap(({ stem }) => terms.flatMap((term, at) => (term.stem === stem ? [at] : [])));
  return which.length === 0 ? undefined : { head: head.stem, which };
}

/** The index of the last word of a post, where the word at this index is what it is of. */
function lastOfPost(text: string, words: readonly Word[], at: number): number | undefined {
  const last = words
    .slice(0, at)
    .findLastIndex(({ stem, start, end }) => !stopStems.has(stem) && !isJoint(text.slice(start, end)));
  return last >= 0 && joinsNext.test(text.slice(words[last]!.end, words[at]!.start)) ? last : undefined;
}

const joint = new RegExp(`^${joins}$`, 'iu');

function isJoint(word: string): boolean {
  return joint.test(`${word} `);
}

/** Disqualifies units that name the post of somebody or something else, and not the one that is asked after. */
export function disqualifyOtherPosts(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  const post = readPost(question);
  if (post === undefined) return;
  candidates.forEach(({ unit: { text, kind } }, i) => {
    const { wide, above, before: last } = details[i]!;
    const isOfAsked = post.which.some((term) => wide[term]! > 0 || above[term]! > 0 || last[term]! > 0);
    if (isOfAsked || kind === 'code') return;
    const words = readWords(text, question.language);
    const named = words.filter(({ stem }) => stem === post.head);
    if (named.length > 0 && named.every((word) => isOfOther(text, word, question.language === undefined)))
      details[i]!.isDisqualified = true;
  });
}

/** Whether the words beside a post in a text say whose it is. */
function isOfOther(text: string, { start, end }: Word, isEnglish: boolean): boolean {
  const lead = text.slice(0, start);
  const [, beside = possessive.exec(lead)?.[1] ?? ''] = (isEnglish ? before.exec(lead) : undefined) ?? [];
  const [, of = ''] = ofOther.exec(text.slice(end)) ?? [];
  return `${beside} ${of}`
    .split(/[\s-]+/)
    .map((word) => word.replace(/['’]s?$/, ''))
    .some(
      (word) => /\p{L}{2}/u.test(word) && !ofAny.test(word) && !ofSome.test(word) && !stopStems.has(word.toLowerCase()),
    );
}

const ofOther = new RegExp(String.raw`^ ${joins}(\p{L}[\p{L}'’-]*)`, 'iu');
