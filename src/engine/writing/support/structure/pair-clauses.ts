/**
 * A clause of a claim beside one of its source: how their verbs, their subjects and objects, their phrases and their
 * certainty compare, and a score that finds the clause that says the most of it.
 */
import type { Reading } from '../reading/reading.ts';
import { relate } from '../reading/word-relations.ts';
import type { Clause } from './clause.ts';
import { type ArgumentFit, type Fit, namesOf, type Sides } from './fit-arguments.ts';
import type { NounPhrase } from './phrase.ts';
import { labile } from './verb-forms.ts';

export interface ClausePair {
  readonly said: Clause;
  readonly found: Clause;
  readonly relation: 'equal' | 'related' | 'opposite' | 'converse';
  readonly agent: Fit;
  readonly patient: Fit;
  readonly isSwapped: boolean;
  readonly phrases: {
    readonly same: number;
    readonly changed: number;
    readonly moved: number;
    readonly missing: number;
  };
  readonly isDenied: boolean;
  readonly isWeaker: boolean;
  readonly isConditionLost: boolean;
  readonly isSpeakerLost: boolean;
  /** The part in which the claim says something else of this verb than its source. */
  readonly clash: 'agent' | 'object' | 'phrase' | 'figure' | undefined;
  readonly score: number;
}

/** Verbs whose object says what somebody thinks, plans, or did not do; by stem. */
const opinions =
  /^(?:say|claim|argu|believ|think|fear|hope|suspect|suggest|assert|alleg|contend|insist|warn|expect|predict|consid|feel|complain|doubt|deni|hold|describ|rumour|report|suppos)$/;
const plans =
  /^(?:plan|hope|want|intend|expect|propos|consid|agre|aim|promis|schedul|wish|seek|try|attempt|offer|decid|threaten|ask|order|urg|request|vote)$/;
const denials = /^(?:fail|refus|declin|deni|doubt|avoid|prevent|stop|forbid|ban|unabl)$/;

/** The two clauses side by side; undefined if their verbs have nothing to do with one another. */
export type PairClauses = (said: Clause, found: Clause) => ClausePair | undefined;

/** Pairs the clauses of one claim with those of one source. */
export function createPairing({ claim, source, alignment: { matches } }: Sides, fits: ArgumentFit): PairClauses {
  const { fitOf, fitOfNouns, hasFigures, isElsewhere } = fits;
  return pairOf;

  function pairOf(one: Clause, other: Clause): ClausePair | undefined {
    const relation = relationOf(one, other);
    if (relation === undefined) return undefined;
    const isConverse = relation === 'converse';
    const [agentThere, patientThere] = isConverse ? [other.patient, other.agent] : [other.agent, other.patient];
    let agent = fitOf(one.agent, agentThere);
    let patient = fitOf(one.patient, patientThere);
    const across = { agent: fitOf(one.agent, patientThere), patient: fitOf(one.patient, agentThere) };
    // "The head nurse is Amina Kato", and the other way round.
    const isIdentity =
      one.isCopula && other.isCopula && across.agent === 'same' && across.patient === 'same' && patient !== 'same';
    if (isIdentity) [agent, patient] = ['same', 'same'];
    // "The bridge opened" and "the bridge was opened", also where somebody opened it.
    const isOfItself = agentThere === undefined || (agent !== 'same' && labile.test(claim.tokens[one.verb]!.stem));
    if (one.patient === undefined && isOfItself && across.agent !== 'other') agent = across.agent;
    if (one.agent === undefined && patientThere === undefined && across.patient !== 'other') patient = across.patient;
    const isSwapped =
      !isIdentity &&
      ((across.agent === 'same' &&
        agent !== 'same' &&
        (across.patient === 'same' ? patient !== 'same' : agent === 'other' && one.patient !== undefined)) ||
        (across.patient === 'same' && patient !== 'same' && agent === 'other'));
    if (one.isCopula && other.isCopula && relation === 'opposite') patient = 'same';
    const phrases = comparePhrases(one, other);
    const isDenied = (isNegative(claim, one) !== isNegative(source, other)) !== (relation === 'opposite');
    const isWeaker = certainty(source, other) < certainty(claim, one);
    const fits = value(agent) + value(patient) + (isSwapped ? 1 : 0);
    const score =
      { equal: 3, converse: 2.5, related: 2, opposite: 2 }[relation] +
      fits +
      0.5 * phrases.same -
      0.3 * (phrases.missing + phrases.moved) -
      (one.isCopula && patient !== 'same' ? 2.5 : 0) -
      (other.role === 'condition' && one.role !== 'condition' ? 0.5 : 0);
    return {
      said: one,
      found: other,
      relation,
      agent,
      patient,
      isSwapped,
      phrases,
      isDenied,
      isWeaker,
      isConditionLost:
        (other.isConditional && !one.isConditional) || (other.role === 'condition' && one.role !== 'condition'),
      isSpeakerLost: isSpoken(source, other) && !isSpoken(claim, one),
      clash: clashOf(one, other, agent, patient),
      score,
    };
  }

  /** Another object, phrase or figure of the same verb with the same subject, where the claim's own is elsewhere in the source. */
  function clashOf(one: Clause, other: Clause, agent: Fit, patient: Fit): ClausePair['clash'] {
    const isOutside = (noun: NounPhrase) => {
      const at = matches.get(noun.head)?.at;
      return at !== undefined && (at < other.from || at >= other.to);
    };
    const [said] = one.patient ?? [];
    const [found] = other.patient ?? [];
    if (isOtherSubject(one, other, agent, patient)) return 'agent';
    if (
      agent === 'same' &&
      patient === 'other' &&
      said !== undefined &&
      found !== undefined &&
      said.from > one.verb &&
      found.from > other.verb
    ) {
      const isFigure = (reading: Reading, { from, to }: NounPhrase) => reading.isFigure.slice(from, to).some(Boolean);
      if (isFigure(claim, said) && isFigure(source, found) && !hasFigures(said, other.from, other.to)) return 'figure';
      if (!isFigure(claim, said) && isOutside(said)) return 'object';
    }
    if (agent === 'other' || patient === 'other' || (agent !== 'same' && patient !== 'same')) return undefined;
    for (const { preposition, noun } of one.phrases) {
      if (noun.isPronoun) continue;
      const own = other.phrases.filter((each) => placeOf(each.preposition) === placeOf(preposition));
      const isFigure = claim.isFigure[noun.head] === true;
      const rivals = own.filter((each) => (source.isFigure[each.noun.head] === true) === isFigure);
      if (rivals.length === 0 || rivals.some((each) => fitOfNouns(noun, each.noun) !== 'other')) continue;
      if (isFigure ? !hasFigures(noun, other.from, other.to) && isDate(noun) : isOutside(noun))
        return isFigure ? 'figure' : 'phrase';
    }
    return undefined;
  }

  /**
   * "Sara Lind was named player of the match" where the source names Ida Berg, or "Jonas Reiter destroyed the room" where a
   * fire did: everything else is the same, the claim names somebody, and the other subject has another name or is new to
   * the page.
   */
  function isOtherSubject(one: Clause, other: Clause, agent: Fit, patient: Fit): boolean {
    const isSubjectPatient = one.agent === undefined && other.agent === undefined;
    const [fit, rest] = isSubjectPatient ? [patient, agent] : [agent, patient];
    const [said, found] = isSubjectPatient ? [one.patient, other.patient] : [one.agent, other.agent];
    const isOther = fit === 'other' || (fit === 'open' && found?.every(isNew) === true);
    if (!isOther || said === undefined || found === undefined) return false;
    const isNamed =
      said.every((noun) => namesOf(claim, noun).length > 0) &&
      found.every((noun) => namesOf(source, noun).length > 0 || isNew(noun));
    const phrases = comparePhrases(one, other);
    return (
      isNamed &&
      (rest === 'same' || (rest === 'absent' && phrases.same > 0)) &&
      phrases.changed + phrases.moved + phrases.missing === 0
    );
  }

  /** "A fire" and nothing more of it. */
  function isNew({ from, to }: NounPhrase): boolean {
    return to - from === 2 && /^an?$/.test(source.tokens[from]!.lower);
  }

  function isDate({ from, to }: NounPhrase): boolean {
    return claim.dates.some((date) => date.from < to && date.to > from);
  }

  /** "Is safe" and "is unsafe". */
  function isOpposed(one: Clause, other: Clause): boolean {
    return (one.patient ?? []).some(({ head }) =>
      (other.patient ?? []).some(
        (noun) => relate(claim.tokens[head]!.stem, source.tokens[noun.head]!.stem) === 'opposite',
      ),
    );
  }

  function relationOf(one: Clause, other: Clause): ClausePair['relation'] | undefined {
    if (one.isCopula && other.isCopula) return isOpposed(one, other) ? 'opposite' : 'equal';
    // "Is the designer of" and "designed".
    const stems = (reading: Reading, clause: Clause) =>
      clause.isCopula
        ? (clause.patient ?? []).map(({ head }) => reading.tokens[head]!.stem)
        : [reading.tokens[clause.verb]!.stem];
    let best: ClausePair['relation'] | undefined;
    for (const stem of stems(claim, one))
      for (const actual of stems(source, other)) {
        if (stem === actual) return 'equal';
        const relation = relate(stem, actual);
        if (relation === 'same' || relation === 'wider') best = 'related';
        else if ((relation === 'opposite' || relation === 'converse') && best === undefined) best = relation;
      }
    return best;
  }

  function comparePhrases(one: Clause, other: Clause): ClausePair['phrases'] {
    const result = { same: 0, changed: 0, moved: 0, missing: 0 };
    // What follows another noun after a comma is said of that: "in version 2.1, support for macOS in version 1.4".
    const comma = other.phrases.findIndex(({ preposition }) => preposition === ',');
    const own = [
      ...(comma === -1 ? other.phrases : other.phrases.slice(0, comma + 1)),
      ...[...(other.agent ?? []), ...(other.patient ?? [])].map((noun) => ({ preposition: '', noun })),
    ];
    for (const { preposition, noun } of one.phrases) {
      if (noun.isPronoun) continue;
      const there = own.filter((each) => fitOfNouns(noun, each.noun) === 'same');
      if (there.some((each) => placeOf(each.preposition) === placeOf(preposition))) result.same += 1;
      else if (there.length > 0) result.changed += 1;
      else if (isElsewhere(noun)) result.moved += 1;
      else result.missing += 1;
    }
    return result;
  }
}

/** Prepositions of the same place or time count as one. */
function placeOf(preposition: string): string {
  return /^(?:in|on|at|during|within|inside|,)$/.test(preposition) ? 'in' : preposition;
}

function value(fit: Fit): number {
  return fit === 'same' ? 1 : fit === 'other' ? -0.5 : 0;
}

/** Negated, or said by a verb such as "failed to". */
export function isNegative(
  { tokens, negations }: Reading,
  { isNegated, verb, frame, patient, agent }: Clause,
): boolean {
  // "Is softer and not smoked".
  const isDenied = isNegated || negations.some(({ head, by }) => head === verb && by === 'particle');
  const isNone = [...(agent ?? []), ...(patient ?? [])].some(({ from }) =>
    /^(?:no|none|nobody|nothing|neither)$/.test(tokens[from]!.lower),
  );
  const isDenial = frame !== undefined && denials.test(tokens[frame]!.stem);
  return [isDenied, isNone, isDenial].filter(Boolean).length % 2 === 1;
}

/** 2 for what is so, 1 for what is planned or must be, 0 for what may be. */
export function certainty({ tokens }: Reading, { modality, frame }: Clause): number {
  if (modality === 'possible') return 0;
  return modality === 'fact' && !(frame !== undefined && plans.test(tokens[frame]!.stem)) ? 2 : 1;
}

/** Whether it is said on somebody's word. */
export function isSpoken({ tokens }: Reading, { frame, isAttributed }: Clause): boolean {
  return isAttributed || (frame !== undefined && isOpinion(tokens[frame]!.stem));
}

/** Whether a stem is that of a verb such as "say" or "believe". */
export function isOpinion(stem: string): boolean {
  return opinions.test(stem);
}
