/**
 * The phrases of an English sentence, in order: groups of a verb with its auxiliaries, noun phrases, prepositions, and what joins
 * clauses. Every step looks a few tokens ahead at most, so that the time is linear in the length.
 */
import type { Token } from '../reading/read-text.ts';
import type { Reading } from '../reading/reading.ts';
import { verbFormsOf } from './verb-forms.ts';

/** What the verb says of its event: that it is so, may be, is intended, or must be. */
export type Modality = 'fact' | 'possible' | 'planned' | 'required';

export interface VerbGroup {
  readonly kind: 'verb';
  readonly from: number;
  readonly to: number;
  /** The main verb, or the form of "be" that links a subject with what it is. */
  readonly verb: number;
  readonly form: 'finite' | 'infinitive' | 'participle' | 'ing';
  /** Whether there is an auxiliary: a bare past form may be a participle. */
  readonly hasAuxiliary: boolean;
  readonly isCopula: boolean;
  readonly isPassive: boolean;
  readonly isNegated: boolean;
  readonly modality: Modality;
}

export interface NounPhrase {
  readonly kind: 'noun';
  readonly from: number;
  readonly to: number;
  /** The last noun before "of", or the last one. */
  readonly head: number;
  readonly isPronoun: boolean;
  /** With an article, a possessive or "this". */
  readonly isDefinite: boolean;
}

export interface Joint {
  readonly kind: 'preposition' | 'coordinator' | 'subordinator' | 'relative' | 'mark';
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

export type Phrase = VerbGroup | NounPhrase | Joint;

const set = (words: string) => new Set(words.split(' '));
const be = set('is are was were be been being am');
const have = set('has have had having');
const does = set('does do did');
const modals: ReadonlyMap<string, Modality> = new Map([
  ...['may', 'might', 'could', 'can', 'would'].map((word): [string, Modality] => [word, 'possible']),
  ...['will', 'shall'].map((word): [string, Modality] => [word, 'planned']),
  ...['must', 'should', 'ought', 'need'].map((word): [string, Modality] => [word, 'required']),
]);
const negative = set('not never neither nor hardly barely scarcely rarely seldom');
const adverbs = set(
  'also still already first last then now soon again once twice just only even ever always often usually sometimes initially originally later earlier finally both all together himself herself itself themselves not never hardly barely scarcely rarely seldom therefore thus instead there so yet too well currently however almost nearly at least',
);
const determiners = set(
  'the a an this that these those his her its their our my your some any no every each all both many most several few much another such either neither',
);
const pronouns = set('he she it they we you i who him them us everyone everybody nobody someone anyone none one');
const subjects = set('he she it they we you i');
/** Before a number these are part of it. */
const bounds = set('about around over under above below');
const prepositions = set(
  'in on at by to from for with of during since until till after before into onto under over between against through as about than within without across along among near towards toward behind beyond beside besides despite per via inside outside around above below off up down out upon throughout because like unlike due following including except',
);
const subordinators = set('if unless although though while whereas when whenever because provided whether once');
/** Prepositions that begin a clause where a subject and a verb follow. */
export const clausal = set('after before since until till as because');
const relatives = set('who which that whom whose where');
const coordinators = set('and or but nor yet');

/** The phrases of the tokens between two indices. */
export function readPhrases(reading: Reading, from: number, to: number): Phrase[] {
  const { tokens } = reading;
  const phrases: Phrase[] = [];
  // Clauses that still need a verb: one to begin with, and one for each "who" and "if".
  let pending = 1;
  for (let at = from; at < to; ) {
    const phrase = readPhrase(reading, at, to, phrases.at(-1));
    if (phrase !== undefined) phrases.push(phrase);
    if (phrase?.kind === 'relative' || phrase?.kind === 'subordinator') pending += 1;
    else if (phrase?.kind === 'coordinator' && pending === 0) pending = 1;
    else if (phrase?.kind === 'verb' && phrase.form === 'finite') pending = Math.max(0, pending - 1);
    at = phrase?.to ?? at + 1;
  }
  return phrases;

  function readPhrase({ isFigure }: Reading, at: number, end: number, last: Phrase | undefined): Phrase | undefined {
    const { lower, kind } = tokens[at]!;
    if (kind === 'mark')
      return /^[€$£¥%°-]$/.test(lower) && isFigure[at]
        ? readNoun(reading, at, end)
        : joint('mark', at, lower === '–' || lower === '—' ? '—' : lower);
    const isAfterNoun = last?.kind === 'noun' || (last?.kind === 'mark' && phrases.at(-2)?.kind === 'noun');
    if (relatives.has(lower) && at > from && (lower !== 'that' || isAfterNoun || last?.kind === 'verb')) {
      // "That" before a noun is a determiner, unless a verb such as "said" precedes it.
      const isArticle = lower === 'that' && last?.kind !== 'verb' && last?.kind !== 'noun';
      if (!isArticle) return joint('relative', at, lower);
    }
    if (coordinators.has(lower)) return joint('coordinator', at, lower);
    if (subordinators.has(lower)) return joint('subordinator', at, lower);
    if (lower === 'to' && isInfinitive(at)) return readVerb(reading, at, end, 'infinitive');
    if (lower === 'according') return undefined;
    const verb = verbAt(reading, at, end, last, pending > 0);
    if (verb !== undefined) return verb;
    if (bounds.has(lower) && isFigure[at + 1] && at + 1 < end) return readNoun(reading, at + 1, end);
    if (/^(?:since|until|by)$/.test(lower) && /^(?:then|now)$/.test(tokens[at + 1]?.lower ?? '')) return undefined;
    if (prepositions.has(lower)) return joint('preposition', at, lower);
    if (isNominal(reading, at)) return readNoun(reading, at, end);
    return undefined;
  }

  function joint(kind: Joint['kind'], at: number, word: string): Joint {
    return { kind, from: at, to: at + 1, word };
  }

  function isInfinitive(at: number): boolean {
    let next = at + 1;
    while (next < at + 3 && isAdverb(tokens[next])) next += 1;
    const lower = tokens[next]?.lower ?? '';
    return lower === 'be' || lower === 'have' || (verbFormsOf(lower).base && !determiners.has(lower));
  }
}

function isAdverb(token: Token | undefined): boolean {
  return token !== undefined && (adverbs.has(token.lower) || (/ly$/.test(token.lower) && token.lower.length > 4));
}

/** A group that begins here: adverbs and auxiliaries, or a word that can only be a verb after what precedes it. */
function verbAt(
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
  const isAfterSubject = last?.kind === 'noun' || last?.kind === 'relative';
  const isOpening = last === undefined || last.kind === 'coordinator' || last.kind === 'mark';
  if (forms.past || forms.participle) {
    if (isBeforeAuxiliary) return undefined;
    if (isAfterSubject) return readVerb(reading, at, end, 'finite');
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

/** Reads the group from its first adverb, auxiliary or "to" on. */
function readVerb(reading: Reading, from: number, end: number, first: VerbGroup['form']): VerbGroup {
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
    } else if (lower === 'longer' && tokens[at - 1]?.lower === 'no') {
    } else {
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

function isNominal({ tokens, isFigure, isName }: Reading, at: number): boolean {
  const { lower, kind } = tokens[at]!;
  const next = tokens[at + 1]?.lower ?? '';
  if (lower === 'there') return be.has(next) || modals.has(next) || have.has(next);
  return (
    isFigure[at] === true ||
    isName[at] === true ||
    determiners.has(lower) ||
    pronouns.has(lower) ||
    kind === 'content' ||
    kind === 'light' ||
    kind === 'number'
  );
}

/** Reads a noun phrase up to the first word that cannot be in it; "of" is inside. */
function readNoun(reading: Reading, from: number, end: number): NounPhrase {
  const { tokens, isFigure, isName } = reading;
  const first = tokens[from]!;
  const isCounting = first.lower === 'one' && tokens[from + 1]?.kind === 'content';
  if (!isCounting && (pronouns.has(first.lower) || first.lower === 'there') && !isFigure[from])
    return { kind: 'noun', from, to: from + 1, head: from, isPronoun: true, isDefinite: true };
  let [at, head, isAfterOf] = [from, -1, false];
  for (; at < end; at += 1) {
    const { lower, kind } = tokens[at]!;
    const before = tokens[at - 1];
    const isPossessive = at > from && /['’]s?$/.test(before!.text);
    if (lower === 'of' && at > from) {
      isAfterOf = true;
      continue;
    }
    if (kind === 'mark') {
      if ((lower === '-' || (isFigure[at] && lower !== '.')) && at + 1 < end) continue;
      break;
    }
    if (isFigure[at]) {
      // "Until 1983 three keepers …"; "the commission first asked".
      if (at > from && reading.dates.some(({ to }) => to === at)) break;
      if (at > from && lower === 'first' && endsBefore(at)) break;
      if (!isAfterOf) head = at;
      continue;
    }
    // A determiner or pronoun begins another phrase, but for "of the" and "all the".
    if (determiners.has(lower)) {
      if (at > from && before!.lower !== 'of' && !determiners.has(before!.lower)) break;
      continue;
    }
    if (subjects.has(lower) || (pronouns.has(lower) && at > from && before?.lower !== 'of')) break;
    if (prepositions.has(lower) && before?.text === '-') continue;
    if (prepositions.has(lower) || coordinators.has(lower) || subordinators.has(lower) || relatives.has(lower)) break;
    if (kind === 'function' && !isName[at]) {
      if (lower === 'more' || lower === 'most' || lower === 'own' || lower === 'other' || lower === 'same') continue;
      break;
    }
    const isStarted = head !== -1 && !isPossessive;
    if (isStarted && !isName[at] && endsBefore(at)) break;
    if (!isAfterOf) head = at;
  }
  const to = Math.max(at, from + 1);
  return {
    kind: 'noun',
    from,
    to,
    head: head === -1 ? to - 1 : head,
    isPronoun: to === from + 1 && determiners.has(first.lower),
    isDefinite: determiners.has(first.lower),
  };

  /** Whether a verb group begins here, after the noun read so far. */
  function endsBefore(at: number): boolean {
    const { lower } = tokens[at]!;
    if ((isAdverb(tokens[at]) && !isFigure[at]) || be.has(lower) || have.has(lower) || modals.has(lower)) return true;
    const last: NounPhrase = { kind: 'noun', from, to: at, head, isPronoun: false, isDefinite: false };
    return verbAt(reading, at, end, last, true) !== undefined;
  }
}
