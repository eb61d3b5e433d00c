/**
 * Clauses that a sentence implies without a verb of their own: "the head nurse, Amina Kato" and "the brewer Tobias Wend" say who somebody is,
 * "Karn's discovery of four comets" and "the opening of the bridge in 1931" say what was done.
 */
import { stem } from '../../../../base/text/stems/stemmer.ts';
import type { Reading } from '../reading/reading.ts';
import type { Clause } from './clause.ts';
import type { NounPhrase, Phrase } from './phrase.ts';

/** Nouns of actions whose "of" is what they act on, and those whose "of" acts; the verb is compared by relation. */
const transitive = new Set(
  'discovery construction design invention purchase sale acquisition publication foundation closure demolition introduction appointment election destruction completion restoration renovation replacement removal translation performance capture conquest siege production reduction introduction approval rejection adoption cancellation creation development distribution examination extension expansion execution founding hiring dismissal treatment use building opening closing release transfer'
    .split(' ')
    .map(stem),
);
const intransitive = new Set(
  'arrival departure death birth collapse failure decline growth rise fall return retirement resignation'
    .split(' ')
    .map(stem),
);

/** What the phrases between two full stops imply, in order. */
export function impliedClauses(reading: Reading, phrases: readonly Phrase[]): Clause[] {
  return phrases.flatMap((phrase, at) =>
    phrase.kind === 'noun'
      ? [appositionAt(reading, phrases, at), titleIn(reading, phrase), actionIn(reading, phrases, at)].filter(
          (clause) => clause !== undefined,
        )
      : [],
  );
}

/** "The head nurse, Amina Kato, …": a name and what it is, between two commas. */
function appositionAt(reading: Reading, phrases: readonly Phrase[], at: number): Clause | undefined {
  const [one, comma, other, end] = phrases.slice(at, at + 4);
  if (one?.kind !== 'noun' || other?.kind !== 'noun' || comma?.kind !== 'mark' || comma.word !== ',') return undefined;
  if (end !== undefined && end.kind !== 'mark' && end.kind !== 'relative') return undefined;
  const [isFirst, isSecond] = [isOnlyName(reading, one), isOnlyName(reading, other)];
  if (isFirst === isSecond || reading.isFigure[one.head] || reading.isFigure[other.head]) return undefined;
  const [name, kind] = isFirst ? [one, other] : [other, one];
  // "In Lunde, the captain …" is not an apposition, nor is a list.
  if (!kind.isDefinite && !/^an?$/.test(reading.tokens[kind.from]!.lower) && !hasPossessor(reading, kind))
    return undefined;
  return identity(name, kind, comma.from);
}

/** "The brewer Tobias Wend". */
function titleIn(reading: Reading, { from, to }: NounPhrase): Clause | undefined {
  const { isName, tokens, isFigure } = reading;
  let start = to;
  while (start > from && isName[start - 1]) start -= 1;
  const head = start - 1;
  if (start === to || head <= from || isName[head] || isFigure[head] || tokens[head]!.kind !== 'content')
    return undefined;
  if (!/^(?:the|its|his|her|their|an?)$/.test(tokens[from]!.lower) && !isName[from]) return undefined;
  if (tokens.slice(from, start).some(({ lower }) => lower === 'of')) return undefined;
  return identity(
    { ...plain, from: start, to, head: to - 1 },
    { ...plain, from, to: start, head, isDefinite: true },
    head,
  );
}

/** "The opening of the bridge by the queen in 1931", "Karn's discovery of four comets". */
function actionIn({ tokens }: Reading, phrases: readonly Phrase[], at: number): Clause | undefined {
  const noun = phrases[at] as NounPhrase;
  const { head, from, to } = noun;
  const stemOfHead = stem(tokens[head]!.lower);
  const isActing = intransitive.has(stemOfHead);
  if (!isActing && !transitive.has(stemOfHead)) return undefined;
  const possessor = tokens.slice(from, head).findIndex(({ text }) => /['’]s?$/.test(text));
  const owner = possessor === -1 ? undefined : { ...plain, from, to: from + possessor + 1, head: from + possessor };
  const object =
    tokens[head + 1]?.lower === 'of' && head + 2 < to ? { ...plain, from: head + 2, to, head: to - 1 } : undefined;
  if (owner === undefined && object === undefined) return undefined;
  const following = phrasesAfter(phrases, at + 1);
  const by = following.find(({ preposition }) => preposition === 'by')?.noun;
  const agent = isActing ? (owner ?? object) : (by ?? (object === undefined ? undefined : owner));
  const patient = isActing ? undefined : (object ?? owner);
  const last = following.at(-1)?.noun ?? noun;
  return {
    ...unmarked,
    verb: head,
    isCopula: false,
    agent: agent && [agent],
    patient: patient && [patient],
    phrases: following.filter((each) => each.noun !== by),
    from,
    to: last.to,
  };
}

/** "By the queen in 1931": noun phrases with a preposition, in a row. */
function phrasesAfter(phrases: readonly Phrase[], from: number): { preposition: string; noun: NounPhrase }[] {
  const found: { preposition: string; noun: NounPhrase }[] = [];
  for (let at = from; at + 1 < phrases.length; at += 2) {
    const [joint, noun] = [phrases[at]!, phrases[at + 1]!];
    if (joint.kind !== 'preposition' || noun.kind !== 'noun') break;
    found.push({ preposition: joint.word, noun });
  }
  return found;
}

const plain = { kind: 'noun', isPronoun: false, isDefinite: false } as const;
const unmarked = {
  isNegated: false,
  modality: 'fact',
  role: 'relative',
  isConditional: false,
  frame: undefined,
  isAttributed: false,
  marker: 'implied',
} as const;

function identity(name: NounPhrase, kind: NounPhrase, verb: number): Clause {
  return {
    ...unmarked,
    verb,
    isCopula: true,
    agent: [name],
    patient: [kind],
    phrases: [],
    from: Math.min(name.from, kind.from),
    to: Math.max(name.to, kind.to),
  };
}

function isOnlyName({ isName, tokens }: Reading, { from, to }: NounPhrase): boolean {
  return tokens.slice(from, to).every(({ kind }, at) => isName[from + at] || kind === 'mark');
}

function hasPossessor({ tokens }: Reading, { from, to }: NounPhrase): boolean {
  return tokens.slice(from, to).some(({ text }) => /['’]s?$/.test(text));
}
