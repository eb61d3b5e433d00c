/**
 * What the clauses of a source say that a claim leaves out. Of what happened, a claim may leave out when and where; of what
 * holds in general, is denied or is allowed, it may not: "visits are not allowed during the first week" does not say that
 * they are not allowed. All of these are features for a model of claims; none decides alone.
 */
import type { Reading } from '../reading/reading.ts';
import type { Clause } from './clause.ts';
import { contentOf, type Sides } from './fit-arguments.ts';
import { isNegative } from './pair-clauses.ts';
import type { NounPhrase } from './phrase.ts';
import { verbFormsOf } from './verb-forms.ts';

/** A clause of a claim, and the clause of its source that covers most of it. */
export type CoveredClause = readonly [said: Clause, found: Clause];

const kinds = ['time', 'limit', 'phrase', 'condition', 'relative', 'modifier'] as const;
const scopes = ['event', 'general', 'negated'] as const;
/** How many numbers `leftOut` returns. */
export const leftOutCount = kinds.length * scopes.length + 8;

const timing = /^(?:during|until|till|before|after|since|from|through|throughout|within|by)$/;
const limiting =
  /^(?:for|with|without|under|per|except|excluding|including|unlike|between|above|below|over|among|outside|inside|beyond|against|than|despite)$/;
const periods =
  /^(?:second|minute|hour|day|night|morning|evening|week|weekend|month|year|season|spring|summer|autumn|winter|term|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?$/;
const conditional = /^(?:if|unless|provided|when|whenever|while|until|once|where|as|because|although|though)$/;
const universal = /^(?:all|every|each|any|anyone|everyone|everybody|always|never|nobody|none|no|whatever|whoever)$/;
const past = /^(?:was|were|had|did|has|have|been)$/;
const auxiliary = /^(?:is|are|am|be|do|does|will|would|shall|should|may|might|can|could|must|ought|need|needs|cannot)$/;

/** Features of what is left out, by kind and by what the clause of the source is: an event, a general statement, or negated. */
export function leftOut(
  pairs: readonly CoveredClause[],
  clauses: { readonly said: readonly Clause[]; readonly found: readonly Clause[] },
  sides: Sides,
): number[] {
  const { claim, source, alignment, context } = sides;
  const counts = new Array<number>(kinds.length * scopes.length).fill(0);
  let [wide, permitted, obliged, sameSpeaker, otherSpeaker] = [0, 0, 0, 0, 0];
  const isWide = claim.tokens.some(({ lower }) => universal.test(lower));
  const seen = new Set<Clause>();
  for (const [one, other] of pairs) {
    if (one.modality === 'possible' && other.modality === 'required') permitted += 1;
    if (one.modality === 'required' && other.modality === 'possible') obliged += 1;
    const speakers = [speakerOf(claim, one, clauses.said), speakerOf(source, other, clauses.found)] as const;
    if (speakers[0] !== undefined && speakers[1] !== undefined)
      speakers[0].some((stem) => speakers[1]!.includes(stem)) ? (sameSpeaker += 1) : (otherSpeaker += 1);
    if (seen.has(other)) continue;
    seen.add(other);
    const scope = isNegative(source, other) || isNegative(claim, one) ? 2 : isPast(source, other) ? 0 : 1;
    const add = (kind: (typeof kinds)[number]) => {
      counts[kinds.indexOf(kind) * scopes.length + scope]! += 1;
      if (isWide) wide += 1;
    };
    for (const { preposition, noun } of other.phrases)
      if (isUnsaid(noun)) add(isTime(preposition, noun) ? 'time' : limiting.test(preposition) ? 'limit' : 'phrase');
    for (const next of clauses.found) {
      if (next === other || !isUnsaidRange(next.from, next.to)) continue;
      if (conditional.test(next.marker) && isNear(other, next)) add('condition');
      else if (next.role === 'relative' && isRestricting(other, next)) add('relative');
    }
    for (const noun of [...(other.agent ?? []), ...(other.patient ?? [])])
      if (alignment.reverse.has(noun.head)) for (const at of contentOf(source, noun)) if (!isSaid(at)) add('modifier');
  }
  const present = pairs.filter(([one]) => !isPast(claim, one) && one.modality === 'fact');
  const ended = present.filter(([, other]) => isPast(source, other));
  const asked = pairs.filter(([, other]) => isAsked(other));
  return [...counts, wide, permitted, obliged, sameSpeaker, otherSpeaker, present.length, ended.length, asked.length];

  /** Whether a clause is a part of a question. */
  function isAsked({ to }: Clause): boolean {
    return source.tokens.slice(to).find(({ text }) => /^[.;!?]$/.test(text))?.text === '?';
  }

  function isSaid(at: number): boolean {
    return alignment.reverse.has(at) || context.headings.has(source.tokens[at]!.stem);
  }

  function isUnsaid(noun: NounPhrase): boolean {
    return !noun.isPronoun && isUnsaidRange(noun.from, noun.to);
  }

  /** Whether the claim has none of the words and figures between two tokens. */
  function isUnsaidRange(from: number, to: number): boolean {
    const words = source.words.filter((at) => at >= from && at < to && source.tokens[at]!.kind !== 'light');
    const figures = [...source.quantities, ...source.dates].filter((each) => each.from < to && each.to > from);
    const isFigureSaid = figures.some(({ from: at, to: end }) =>
      source.tokens
        .slice(at, end)
        .some(({ kind, stem }) => kind === 'number' && claim.tokens.some((token) => token.stem === stem)),
    );
    return words.length + figures.length > 0 && !isFigureSaid && !words.some(isSaid);
  }

  function isTime(preposition: string, { from, to, head }: NounPhrase): boolean {
    return (
      timing.test(preposition) ||
      periods.test(source.tokens[head]!.lower) ||
      source.dates.some((date) => date.from < to && date.to > from)
    );
  }

  /** Whether no full stop or semicolon is between two clauses. */
  function isNear(one: Clause, other: Clause): boolean {
    const [low, high] = [Math.min(one.to, other.to), Math.max(one.from, other.from)];
    return !source.tokens.slice(low, high).some(({ text }) => /^[.;!?]$/.test(text));
  }

  /** "Anyone who lives here": a relative clause without a comma says which. */
  function isRestricting({ agent, patient }: Clause, { from, marker }: Clause): boolean {
    return (
      /^(?:who|that|which|whose|whom)$/.test(marker) &&
      [...(agent ?? []), ...(patient ?? [])].some(({ to }) => to === from)
    );
  }
}

/** Whether a clause says what happened. */
function isPast({ tokens }: Reading, { from, verb }: Clause): boolean {
  const before = tokens.slice(Math.max(from, verb - 4), verb + 1).map(({ lower }) => lower);
  if (before.some((word) => past.test(word))) return true;
  return !before.slice(0, -1).some((word) => auxiliary.test(word)) && verbFormsOf(tokens[verb]!.lower).past;
}

/** Stems of the speaker of a clause; undefined if nobody is named. */
function speakerOf(reading: Reading, { frame, isAttributed }: Clause, all: readonly Clause[]): string[] | undefined {
  const { tokens } = reading;
  let found: number[] = [];
  if (frame !== undefined) {
    const agents = all.find(({ verb }) => verb === frame)?.agent ?? [];
    found = agents.flatMap((noun) => (noun.isPronoun ? [] : contentOf(reading, noun)));
  } else if (isAttributed) {
    const at = tokens.findIndex(({ lower }, index) => lower === 'to' && tokens[index - 1]?.lower === 'according');
    for (let index = at + 1; index < tokens.length && tokens[index]!.kind !== 'mark'; index += 1)
      if (tokens[index]!.kind === 'content' || reading.isName[index]) found.push(index);
  }
  return found.length === 0 ? undefined : found.map((at) => tokens[at]!.stem);
}
