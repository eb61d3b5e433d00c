/** A verb with its auxiliaries, adverbs and negation: "has not yet been opened". */
import type { Token } from '../reading/read-text.ts';
import type { Reading } from '../reading/reading.ts';
import {
  be,
  coordinators,
  determiners,
  does,
  have,
  isAdverb,
  modals,
  negative,
  prepositions,
  pronouns,
  relatives,
} from './function-words.ts';
import type { Modality, Phrase, VerbGroup } from './phrase.ts';
import { verbFormsOf } from './verb-forms.ts';

/** A group that begins here: adverbs and auxiliaries, or a word that can only be a verb after what precedes it. */
export function verbAt(
  reading: Reading,
  at: number,
  end: number,
  last: Phrase | undefined,
  isPending: boolean,
): VerbGroup | undefined {
  const { tokens } = reading;
  let next = at;
  while (next < Math.min(end, at + 4) && (isAdverb(tokens[next]) || negative.has(tokens[next]!.lower))) next += 1;
  if (tokens[next]?.lower === 'no' && tokens[next + 1]?.lower === 'longer') next += 2;
  const token = tokens[next];
  if (token === undefined || next >= end || token.kind === 'mark') return undefined;
  const { lower } = token;
  if (be.has(lower) || have.has(lower) || does.has(lower) || (modals.has(lower) && !reading.isFigure[next]))
    return readVerb(reading, at, end, lower === 'being' || lower === 'having' ? 'ing' : 'finite');
  if (reading.isFigure[next] || reading.isName[next] || determiners.has(lower) || prepositions.has(lower)) {
    if (!(lower === 'left' || lower === 'felt')) return undefined;
  }
  const forms = verbFormsOf(lower);
  const following = tokens[next + 1];
  const isBeforeAuxiliary =
    following !== undefined && (be.has(following.lower) || have.has(following.lower) || modals.has(following.lower));
  // "The power cut lasted six hours", "genetic tests proved it".
  if ((forms.base || forms.third) && !forms.ing && isPlainPast(following, next + 1 < end)) return undefined;
  const isAfterSubject = last?.kind === 'noun' || last?.kind === 'relative';
  const isOpening = last === undefined || last.kind === 'coordinator' || last.kind === 'mark';
  if (forms.past || forms.participle) {
    if (isBeforeAuxiliary) return undefined;
    // "But fell ill": what is only a past form describes no noun.
    const isPast = last?.kind === 'coordinator' && forms.past && !forms.participle;
    if (isAfterSubject || isPast) return readVerb(reading, at, end, 'finite');
    // "And first lit on 3 May"; "Designed by X, …"; but "and trained staff".
    if (isOpening && (next > at || opensPhrase(reading, next + 1, end)))
      return readVerb(
        reading,
        at,
        end,
        last?.kind === 'coordinator' || (last !== undefined && isPending) ? 'finite' : 'participle',
      );
    return undefined;
  }
  if (forms.ing && opensPhrase(reading, next + 1, end)) {
    const isAlone = following === undefined || next + 1 >= end || following.kind === 'mark';
    return isAlone && last?.kind !== 'verb' && last?.kind !== 'noun' ? undefined : readVerb(reading, at, end, 'ing');
  }
  if (
    forms.third &&
    !isBeforeAuxiliary &&
    (isAfterSubject || last?.kind === 'coordinator' || (last?.kind === 'mark' && isPending))
  ) {
    const head = last?.kind === 'noun' ? tokens[last.head]! : undefined;
    const isPlural = head !== undefined && /[^s]s$/.test(head.lower) && !reading.isName[last!.from];
    return (isPlural && !/^(?:it|this|its|news)$/.test(head.lower)) ||
      (last?.kind === 'coordinator' && relatives.has(following?.lower ?? '')) ||
      reading.isFigure[at - 1] === true ||
      !opensComplement(reading, next + 1, end)
      ? undefined
      : readVerb(reading, at, end, 'finite');
  }
  if (forms.base && !isBeforeAuxiliary) {
    const head = last?.kind === 'noun' ? tokens[last.head]! : undefined;
    const isPlural =
      last?.kind === 'relative' ||
      (head !== undefined &&
        (/[^s]s$/.test(head.lower) || /^(?:they|we|you|i|people|men|women|children)$/.test(head.lower)));
    // "Keep it cool", but "Work on it".
    const isImperative =
      last === undefined &&
      following !== undefined &&
      (determiners.has(following.lower) || pronouns.has(following.lower));
    if (isImperative || (isPlural && opensComplement(reading, next + 1, end)))
      return readVerb(reading, at, end, 'finite');
  }
  return undefined;
}

/** Whether a word can be a past form, and neither a base form nor the start of a name. */
function isPlainPast(token: Token | undefined, isInside: boolean): boolean {
  if (token === undefined || !isInside || token.isCapital) return false;
  const { past, base } = verbFormsOf(token.lower);
  return past && !base && (token.lower.endsWith('ed') || !verbFormsOf(token.lower).participle);
}

/** Reads the group from its first adverb, auxiliary or "to" on. */
export function readVerb(reading: Reading, from: number, end: number, first: VerbGroup['form']): VerbGroup {
  const { tokens } = reading;
  let [at, verb, last] = [from, from, ''];
  let [isNegated, hasAuxiliary, isPassive] = [false, false, false];
  let modality: Modality = 'fact';
  for (; at < end; at += 1) {
    const { lower } = tokens[at]!;
    const forms = verbFormsOf(lower);
    if (
      lower === 'not' ||
      lower === 'never' ||
      (lower === 'no' && tokens[at + 1]?.lower === 'longer') ||
      /^(?:hardly|barely|scarcely|rarely|seldom)$/.test(lower)
    ) {
      if (!(lower === 'not' && tokens[at + 1]?.lower === 'only')) isNegated = true;
    } else if (modals.has(lower) && last === '') {
      modality = modals.get(lower)!;
      hasAuxiliary = true;
      last = 'modal';
    } else if (be.has(lower) && last !== 'be') {
      hasAuxiliary = true;
      last = 'be';
      verb = at;
    } else if (be.has(lower) && lower === 'being') {
      verb = at;
    } else if ((have.has(lower) || does.has(lower)) && (last === '' || last === 'modal')) {
      hasAuxiliary = true;
      last = have.has(lower) ? 'have' : 'do';
      verb = at;
    } else if (lower === 'to' && (at === from || last === 'be' || last === 'have')) {
      // "Is to open", "has to close".
      if (!(verbFormsOf(tokens[at + 1]?.lower ?? '').base || tokens[at + 1]?.lower === 'be')) break;
      if (last !== '') modality = last === 'be' ? 'planned' : 'required';
      last = 'modal';
    } else if (isAdverb(tokens[at]) && !(last === 'be' && isAdjectival(at)) && lower !== 'longer') {
      if (!leadsToVerb(at)) break;
    } else if (lower !== 'longer' || tokens[at - 1]?.lower !== 'no') {
      const fits =
        last === 'be'
          ? (forms.participle && !isBeforeNoun(at)) || forms.ing
          : last === 'have'
            ? forms.participle
            : last === 'modal' || last === 'do'
              ? forms.base || (tokens[at]!.kind !== 'function' && !prepositions.has(lower) && !reading.isFigure[at])
              : last === '';
      if (fits) {
        verb = at;
        isPassive = last === 'be' && forms.participle && !forms.ing;
        last = 'main';
        at += 1;
      }
      break;
    }
  }
  const isCopula = last === 'be';
  const isParticiple = first === 'participle' || (first === 'finite' && !hasAuxiliary && tokens[at]?.lower === 'by');
  return {
    kind: 'verb',
    from,
    to: Math.max(at, from + 1),
    verb,
    form: isParticiple ? 'participle' : first,
    hasAuxiliary,
    isCopula,
    isPassive: isPassive || (isParticiple && verbFormsOf(tokens[verb]!.lower).participle),
    isNegated,
    modality,
  };

  function isAdjectival(at: number): boolean {
    return /^(?:well|all|both|there|so|too|first|last|only)$/.test(tokens[at]!.lower) && !leadsToVerb(at);
  }

  /** Whether a verb follows this adverb, within the group. */
  function leadsToVerb(at: number): boolean {
    let next = at + 1;
    while (next < Math.min(end, at + 3) && (isAdverb(tokens[next]) || tokens[next]!.lower === 'not')) next += 1;
    const token = tokens[next];
    if (token === undefined || next >= end) return false;
    const forms = verbFormsOf(token.lower);
    return (
      be.has(token.lower) ||
      have.has(token.lower) ||
      forms.past ||
      forms.participle ||
      forms.ing ||
      forms.base ||
      forms.third
    );
  }

  /** "Was wounded soldiers": a participle before a noun modifies it. */
  function isBeforeNoun(at: number): boolean {
    const next = tokens[at + 1];
    return (
      next?.kind === 'content' &&
      /[^s]s$/.test(next.lower) &&
      !verbFormsOf(next.lower).past &&
      !isAdverb(next) &&
      /^(?:an?|the)$/.test(tokens[at - 1]!.lower)
    );
  }
}

/** Whether what follows can begin a complement, but not go on with a noun phrase. */
function opensPhrase({ tokens, isFigure }: Reading, at: number, end: number): boolean {
  const token = tokens[at];
  if (at >= end || token === undefined || token.kind === 'mark') return true;
  return (
    isFigure[at] === true ||
    determiners.has(token.lower) ||
    prepositions.has(token.lower) ||
    pronouns.has(token.lower) ||
    coordinators.has(token.lower) ||
    token.lower === 'that' ||
    isAdverb(token)
  );
}

function opensComplement(reading: Reading, at: number, end: number): boolean {
  const token = reading.tokens[at];
  return (
    opensPhrase(reading, at, end) || reading.isName[at] === true || token?.kind === 'content' || token?.kind === 'light'
  );
}
