/**
 * Compares a claim with its source clause by clause: is each thing that the claim says said of the same things, in the same roles, with the same
 * phrases and figures, as certainly? What the words of both have in common is compared elsewhere. Where either has no clauses, or the verbs
 * are unrelated, nothing is decided.
 */
import type { Alignment } from '../alignment.ts';
import { type Context, contradicted, type Fault } from '../checks/fault.ts';
import { entailsDate, excludesDate } from '../reading/dates.ts';
import { entails } from '../reading/quantity-entailment.ts';
import type { Reading } from '../reading/reading.ts';
import { relate } from '../reading/word-relations.ts';
import { type Argument, type Clause, clausesOf } from './clauses.ts';
import type { NounPhrase } from './phrases.ts';

/** How an argument of the claim stands to that of its source: `absent` if the claim has none, `unsaid` if only the claim has one. */
type Fit = 'same' | 'open' | 'other' | 'absent' | 'unsaid';

export interface ClauseComparison {
  /** Counts, in a fixed order, for a model of claims; all 0 where nothing is known. */
  readonly features: readonly number[];
  /** Whether each clause of the claim is said, part by part. */
  readonly isEntailed: boolean;
  /** What is certainly turned: roles, or what is denied. */
  readonly faults: readonly Fault[];
}

interface Pair {
  readonly said: Clause;
  readonly found: Clause;
  readonly relation: 'equal' | 'related' | 'opposite' | 'converse';
  readonly agent: Fit;
  readonly patient: Fit;
  readonly isSwapped: boolean;
  readonly phrases: {
    readonly same: number;
    readonly turned: number;
    readonly moved: number;
    readonly missing: number;
  };
  readonly isDenied: boolean;
  readonly isWeaker: boolean;
  readonly isConditionLost: boolean;
  readonly isSpeakerLost: boolean;
  /** What the claim says of this verb where its source says something else. */
  readonly clash: 'object' | 'phrase' | 'figure' | undefined;
  readonly score: number;
}

const featureCount = 24;
const nothing: ClauseComparison = { features: new Array<number>(featureCount).fill(0), isEntailed: false, faults: [] };

/** Clauses of either side that are compared; more are no sentence. */
const maxClauses = 12;
/** Verbs whose object says what somebody thinks, plans, or did not do; by stem. */
const opinions =
  /^(?:say|claim|argu|believ|think|fear|hope|suspect|suggest|assert|alleg|contend|insist|warn|expect|predict|consid|feel|complain|doubt|deni|hold|describ|rumour|report|suppos)$/;
const plans =
  /^(?:plan|hope|want|intend|expect|propos|consid|agre|aim|promis|schedul|wish|seek|try|attempt|offer|decid|threaten|ask|order|urg|request|vote)$/;
const denials = /^(?:fail|refus|declin|deni|doubt|avoid|prevent|stop|forbid|ban|unabl)$/;
/** Verbs of which the same thing is the subject or the object. */
const labile =
  /^(?:open|close|start|begin|end|chang|increas|decreas|grow|move|stop|break|run|burn|melt|sell|turn|meet|marri|join|link|connect|equal|double|play)$/;

/** What a page calls its subject after it has named it. */
const generic =
  /^(?:company|firm|business|maker|manufacturer|organi[sz]ation|association|society|club|team|band|group|agency|institute|university|school|college|museum|library|church|building|house|hotel|restaurant|shop|bridge|tunnel|tower|lighthouse|castle|city|town|village|county|district|country|river|lake|mountain|island|park|station|airport|ship|film|book|novel|song|album|game|programme|program|project|product|software|tool|trial|study|festival|law|act|court|author|artist|composer|writer|engineer|scientist|painter|singer|player)$/;

/** Words that turn, compare or link what a claim says: it may then be false though each of its clauses is said. */
const turning =
  /^(?:than|more|less|fewer|most|least|because|before|after|since|until|while|if|unless|so|therefore|only|same|as|but|although|though|when|without|except|rather|instead|not|never|no|nobody|none|or)$/;
/** Words that limit what a clause of the source says. */
const restricting =
  /^(?:only|except|unless|if|not|never|no|unlike|apart|other|without|until|any|longer|instead|rather|whether|hardly|nearly|almost|neither|nor|or|than)$/;
/** Prepositions of phrases that a claim may not leave out. */
const limiting = /^(?:with|without|for|under|within|per|except|unlike|between|above|below|over)$/;

/** Compares all clauses of a claim with those of one candidate; `language` is the page's, and only English has clauses here. */
export function compareClauses(
  claim: Reading,
  source: Reading,
  { matches, reverse }: Alignment,
  context: Context,
  language: string | undefined,
): ClauseComparison {
  if (language !== undefined && language !== 'en') return nothing;
  const said = clausesOf(claim).slice(0, maxClauses);
  const found = clausesOf(source).slice(0, 2 * maxClauses);
  if (said.length === 0 || found.length === 0) return nothing;
  const all = said.flatMap((clause) => found.flatMap((other) => pairOf(clause, other) ?? []));
  const best = said.map((clause) => {
    const pairs = all.filter((pair) => pair.said === clause);
    return pairs.reduce<Pair | undefined>(
      (top, pair) => (top === undefined || pair.score > top.score ? pair : top),
      undefined,
    );
  });
  const pairs = best.filter((pair): pair is Pair => pair !== undefined);
  const count = (test: (pair: Pair) => boolean) => pairs.filter(test).length;
  const entailed = count(isEntailed);
  const uncovered = claim.words.filter((at) => {
    const relation = matches.get(at)?.relation;
    const { stem, kind } = claim.tokens[at]!;
    const isTurned = (pair: Pair) => pair.relation === 'opposite' && pair.said.patient?.some(({ head }) => head === at);
    return (
      relation !== 'same' &&
      relation !== 'wider' &&
      !(relation === 'opposite' && pairs.some(isTurned)) &&
      (kind === 'content' || claim.isName[at]) &&
      !context.headings.has(stem)
    );
  }).length;
  const isWhole = entailed === said.length && uncovered === 0 && hasAllFigures(claim, source);
  const isPlain = !claim.tokens.some(({ lower, superlativeOf }) => superlativeOf !== undefined || turning.test(lower));
  const features = [
    said.length,
    found.length,
    pairs.length / said.length,
    count(({ relation }) => relation === 'equal'),
    count(({ relation }) => relation === 'related'),
    count(({ relation }) => relation === 'opposite'),
    count(({ agent }) => agent === 'same'),
    count(({ agent }) => agent === 'other'),
    count(({ agent }) => agent === 'unsaid'),
    count(({ patient }) => patient === 'same'),
    count(({ patient }) => patient === 'other'),
    count(({ patient }) => patient === 'unsaid'),
    count(({ isSwapped }) => isSwapped),
    sum(pairs, ({ phrases }) => phrases.same),
    sum(pairs, ({ phrases }) => phrases.turned),
    sum(pairs, ({ phrases }) => phrases.moved),
    sum(pairs, ({ phrases }) => phrases.missing),
    count(({ isDenied }) => isDenied),
    count(({ isWeaker }) => isWeaker),
    count(({ isConditionLost }) => isConditionLost),
    count(({ isSpeakerLost }) => isSpeakerLost),
    entailed / said.length,
    isWhole ? 1 : 0,
    Math.max(0, ...pairs.map(({ score }) => score)),
  ];
  const isFree = ![...claim.tokens, ...source.tokens].some(({ lower }) => restricting.test(lower));
  const isEvent = ({ relation, said: one, found: other }: Pair) =>
    relation === 'equal' && !one.isCopula && !other.isCopula;
  const swapped = pairs.find(
    (pair) => pair.isSwapped && isEvent(pair) && !labile.test(claim.tokens[pair.said.verb]!.stem),
  );
  // Unless another clause says it.
  const clashing = all.find(
    (pair) =>
      pair.clash !== undefined &&
      (pair.clash === 'figure' || isFree) &&
      (isEvent(pair) || (pair.relation === 'equal' && pair.agent === 'same' && pair.patient === 'same')) &&
      !all.some((other) => other.said === pair.said && other.clash === undefined && isFitting(other)),
  );
  const misdated = misdatedQuantity(claim, source);
  const denied = pairs.find(
    (pair) =>
      isFree &&
      pair.isDenied &&
      isEvent(pair) &&
      isFitting(pair) &&
      (pair.said.patient === undefined) === (pair.found.patient === undefined) &&
      pair.said.role === 'main' &&
      pair.found.role === 'main' &&
      pair.phrases.missing + pair.phrases.moved + pair.phrases.turned === 0,
  );
  return {
    features,
    isEntailed: isWhole && isPlain && pairs.every(isPart),
    faults: [
      ...(swapped === undefined
        ? []
        : [contradicted('clause roles', `roles of "${claim.tokens[swapped.said.verb]!.text}"`)]),
      ...(clashing === undefined
        ? []
        : [
            contradicted(
              `clause ${clashing.clash!}`,
              `another ${clashing.clash!} of "${claim.tokens[clashing.said.verb]!.text}"`,
            ),
          ]),
      ...(misdated ? [contradicted('clause figure', 'a figure of another date')] : []),
      ...(denied === undefined
        ? []
        : [contradicted('clause polarity', `"${claim.tokens[denied.said.verb]!.text}" is denied on one side`)]),
    ],
  };

  /** Whether a clause of the claim is a part of the one that says it: all of its words, under no restriction that it leaves out. */
  function isPart({ said: one, found: other, relation }: Pair): boolean {
    const inside = (at: number) => at >= other.from && at < other.to;
    const words = claim.words.filter((at) => at >= one.from && at < one.to && !isSubject(one, at));
    const subjects = [...(other.agent ?? []), ...(other.patient ?? [])];
    const isRestricted =
      other.phrases.some(({ preposition, noun }) => limiting.test(preposition) && !isSaid(noun)) ||
      subjects.some(
        (noun) =>
          noun.from < other.verb &&
          !noun.isPronoun &&
          !isGeneric(noun) &&
          namesOf(source, noun).length === 0 &&
          !isSaid(noun),
      ) ||
      other.phrases.some(
        ({ noun }) =>
          noun.from < other.verb &&
          !source.isFigure[noun.head] &&
          subjects.some(({ to }) => to < noun.from) &&
          !isSaid(noun),
      );
    return (
      isFramedAlike(one, other) &&
      one.modality === other.modality &&
      !isRestricted &&
      quantifiersOf(claim, one.from, one.to).every((word) =>
        quantifiersOf(source, other.from, other.to).includes(word),
      ) &&
      (hasFigures(one, other.from, other.to) ||
        other.phrases.some(({ noun }) => noun.to <= other.from && hasFigures(one, noun.from, noun.to))) &&
      words.every((at) => inside(matches.get(at)?.at ?? -1) || context.headings.has(claim.tokens[at]!.stem)) &&
      !source.tokens
        .slice(other.from, other.to)
        .some(({ lower }) => restricting.test(lower) && !(relation === 'opposite' && lower === 'not'))
    );
  }

  /** Both said by themselves, or both as what the same verb says: "plans to open". */
  function isFramedAlike(one: Clause, other: Clause): boolean {
    if (one.frame !== undefined && other.frame !== undefined)
      return (
        one.role === 'complement' &&
        other.role === 'complement' &&
        claim.tokens[one.frame]!.stem === source.tokens[other.frame]!.stem
      );
    return (
      one.frame === undefined &&
      other.frame === undefined &&
      (one.role === 'main' || one.role === 'relative') &&
      (other.role === 'main' || (other.role === 'relative' && other.marker !== 'that'))
    );
  }

  /** A subject may be named elsewhere, or be a pronoun there; that it is the same was found before. */
  function isSubject({ verb, agent, patient }: Clause, at: number): boolean {
    return [...(agent ?? []), ...(patient ?? [])].some(({ from, to }) => at >= from && at < to && to <= verb);
  }

  function isSaid(noun: NounPhrase): boolean {
    return contentOf(source, noun).every((at) => reverse.has(at) || context.headings.has(source.tokens[at]!.stem));
  }

  /** The two clauses side by side; undefined if their verbs have nothing to do with one another. */
  function pairOf(one: Clause, other: Clause): Pair | undefined {
    const relation = relationOf(one, other);
    if (relation === undefined) return undefined;
    const isTurned = relation === 'converse';
    const [agentThere, patientThere] = isTurned ? [other.patient, other.agent] : [other.agent, other.patient];
    let agent = fitOf(one.agent, agentThere);
    let patient = fitOf(one.patient, patientThere);
    const across = { agent: fitOf(one.agent, patientThere), patient: fitOf(one.patient, agentThere) };
    // "The bridge opened" and "the bridge was opened".
    if (one.patient === undefined && agentThere === undefined && across.agent !== 'other') agent = across.agent;
    if (one.agent === undefined && patientThere === undefined && across.patient !== 'other') patient = across.patient;
    const isSwapped =
      (across.agent === 'same' &&
        agent !== 'same' &&
        (across.patient === 'same' ? patient !== 'same' : agent === 'other' && one.patient !== undefined)) ||
      (across.patient === 'same' && patient !== 'same' && agent === 'other');
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
  function clashOf(one: Clause, other: Clause, agent: Fit, patient: Fit): Pair['clash'] {
    const isOutside = (noun: NounPhrase) => {
      const at = matches.get(noun.head)?.at;
      return at !== undefined && (at < other.from || at >= other.to);
    };
    const [said] = one.patient ?? [];
    const [found] = other.patient ?? [];
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

  function relationOf(one: Clause, other: Clause): Pair['relation'] | undefined {
    if (one.isCopula && other.isCopula) return isOpposed(one, other) ? 'opposite' : 'equal';
    // "Is the designer of" and "designed".
    const stems = (reading: Reading, clause: Clause) =>
      clause.isCopula
        ? (clause.patient ?? []).map(({ head }) => reading.tokens[head]!.stem)
        : [reading.tokens[clause.verb]!.stem];
    let best: Pair['relation'] | undefined;
    for (const stem of stems(claim, one))
      for (const actual of stems(source, other)) {
        if (stem === actual) return 'equal';
        const relation = relate(stem, actual);
        if (relation === 'same' || relation === 'wider') best = 'related';
        else if ((relation === 'opposite' || relation === 'converse') && best === undefined) best = relation;
      }
    return best;
  }

  function fitOf(said: Argument | undefined, found: Argument | undefined): Fit {
    if (said === undefined) return 'absent';
    if (said.every(({ isPronoun }) => isPronoun)) {
      const [one, other] = [said[0]!, found?.[0]];
      return other?.isPronoun && claim.tokens[one.head]!.lower === source.tokens[other.head]!.lower ? 'same' : 'open';
    }
    if (found === undefined) return 'unsaid';
    // What the page is about, or somebody it has named.
    const isKnown = said.some(({ head }) => {
      const { stem } = claim.tokens[head]!;
      return context.headings.has(stem) || (claim.isName[head] === true && context.before.has(stem));
    });
    if (found.every(({ isPronoun }) => isPronoun)) return isKnown ? 'same' : 'open';
    let result: Fit = 'other';
    for (const one of said)
      for (const other of found) {
        const fit = fitOfNouns(one, other);
        if (fit === 'same') return 'same';
        if (fit === 'open') result = 'open';
      }
    // "The company" of a page about one, and "the tower" of a page about a lighthouse.
    const isTitle = said.every((noun) =>
      contentOf(claim, noun).every((at) => context.headings.has(claim.tokens[at]!.stem)),
    );
    if (isTitle && found.every((noun) => noun.isDefinite && isGeneric(noun))) return 'same';
    if (
      result === 'other' &&
      isKnown &&
      found.some(({ isDefinite, from, to }) => isDefinite && !source.isName.slice(from, to).some(Boolean))
    )
      return 'open';
    return result;
  }

  /** "The company", and nothing more of it. */
  function isGeneric(noun: NounPhrase): boolean {
    const own = contentOf(source, noun);
    return own.length === 1 && generic.test(source.tokens[own[0]!]!.lower);
  }

  function fitOfNouns(one: NounPhrase, other: NounPhrase): Fit {
    if (one.isPronoun || other.isPronoun) return 'open';
    const names = { said: namesOf(claim, one), found: namesOf(source, other) };
    if (names.said.length > 0 && names.found.length > 0)
      return names.said.every((name) => names.found.includes(name)) ||
        names.found.every((name) => names.said.includes(name))
        ? 'same'
        : 'other';
    if (claim.isFigure[one.head] && source.isFigure[other.head])
      return hasFigures(one, other.from, other.to) ? 'same' : 'other';
    if (!hasFigures(one, other.from, other.to)) return 'other';
    const own = contentOf(source, other);
    if (
      isEqual(one.head, other.head) ||
      own.some((at) => isEqual(one.head, at)) ||
      contentOf(claim, one).some((at) => isEqual(at, other.head))
    )
      return 'same';
    // A name for what the other calls "the captain".
    return names.said.length > 0 !== names.found.length > 0 ? 'open' : 'other';
  }

  function isEqual(one: number, other: number): boolean {
    const [stem, actual] = [claim.tokens[one]!.stem, source.tokens[other]!.stem];
    if (stem === actual) return true;
    const relation = claim.isName[one] && source.isName[other] ? undefined : relate(stem, actual);
    return relation === 'same' || relation === 'wider';
  }

  function comparePhrases(one: Clause, other: Clause): Pair['phrases'] {
    const result = { same: 0, turned: 0, moved: 0, missing: 0 };
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
      else if (there.length > 0) result.turned += 1;
      else if (isElsewhere(noun)) result.moved += 1;
      else result.missing += 1;
    }
    return result;
  }

  /** Whether every figure of a phrase is between two tokens of the source. */
  function hasFigures(
    { from, to }: { readonly from: number; readonly to: number },
    low: number,
    high: number,
  ): boolean {
    const inside = (each: { readonly from: number; readonly to: number }, start: number, end: number) =>
      each.from < end && each.to > start;
    return (
      claim.dates
        .filter((date) => inside(date, from, to))
        .every((date) => source.dates.some((other) => inside(other, low, high) && entailsDate(other, date))) &&
      claim.quantities
        .filter((quantity) => inside(quantity, from, to))
        .every((quantity) => source.quantities.some((other) => inside(other, low, high) && entails(other, quantity)))
    );
  }

  function hasAllFigures({ tokens }: Reading, { tokens: others }: Reading): boolean {
    return hasFigures({ from: 0, to: tokens.length }, 0, others.length);
  }

  function isElsewhere(noun: NounPhrase): boolean {
    if (claim.isFigure[noun.head]) return hasFigures(noun, 0, source.tokens.length);
    return matches.has(noun.head) || context.headings.has(claim.tokens[noun.head]!.stem);
  }
}

/** Tokens between a figure and the date that it is of: "61 million euros in 2023". */
const maxBetween = 2;

/** Whether the one figure of a claim stands, in the source, right before another date than the claim's one date, which is there too. */
function misdatedQuantity(claim: Reading, source: Reading): boolean {
  const amounts = claim.quantities.filter(({ isVague }) => !isVague);
  const [amount] = amounts;
  const [date] = claim.dates;
  if (amount === undefined || date === undefined || amounts.length > 1 || claim.dates.length > 1) return false;
  const equal = source.quantities.filter((quantity) => entails(quantity, amount));
  const others = source.quantities.filter((quantity) => !entails(quantity, amount));
  const dateOf = ({ to }: { readonly to: number }) =>
    source.dates.find(({ from }) => from >= to && from - to <= maxBetween);
  return (
    equal.length > 0 &&
    equal.every((quantity) => {
      const own = dateOf(quantity);
      return own !== undefined && excludesDate(own, date);
    }) &&
    others.some((quantity) => {
      const own = dateOf(quantity);
      return own !== undefined && entailsDate(own, date);
    })
  );
}

function isFitting({ agent, patient }: Pair): boolean {
  const isFit = (fit: Fit) => fit === 'same' || fit === 'absent';
  return isFit(agent) && isFit(patient) && (agent === 'same' || patient === 'same');
}

const quantifiers =
  /^(?:all|every|each|most|many|few|several|some|both|no|none|any|half|whole|entire|other|another|also|again|still|first|last|second|third|nearly|almost)$/;

function quantifiersOf({ tokens }: Reading, from: number, to: number): string[] {
  return tokens.slice(from, to).flatMap(({ lower }) => (quantifiers.test(lower) ? [lower] : []));
}

function isEntailed({ said, relation, agent, patient, phrases, ...flags }: Pair): boolean {
  const isFit = (fit: Fit) => fit === 'same' || fit === 'absent';
  return (
    (relation === 'equal' || (relation === 'opposite' && said.isCopula)) &&
    isFit(agent) &&
    isFit(patient) &&
    (said.agent !== undefined || said.patient !== undefined) &&
    !flags.isSwapped &&
    phrases.turned + phrases.moved + phrases.missing === 0 &&
    !flags.isDenied &&
    !flags.isWeaker &&
    !flags.isConditionLost &&
    !flags.isSpeakerLost
  );
}

/** Prepositions of the same place or time are one. */
function placeOf(preposition: string): string {
  return /^(?:in|on|at|during|within|inside|,)$/.test(preposition) ? 'in' : preposition;
}

function value(fit: Fit): number {
  return fit === 'same' ? 1 : fit === 'other' ? -0.5 : 0;
}

function sum(pairs: readonly Pair[], of: (pair: Pair) => number): number {
  return pairs.reduce((all, pair) => all + of(pair), 0);
}

/** Words of a phrase that say something. */
function contentOf({ tokens, isFigure }: Reading, { from, to }: NounPhrase): number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += 1) if (!isFigure[at] && tokens[at]!.kind === 'content') found.push(at);
  return found;
}

function namesOf({ tokens, isName }: Reading, { from, to }: NounPhrase): string[] {
  const found: string[] = [];
  for (let at = from; at < to; at += 1) if (isName[at]) found.push(tokens[at]!.stem);
  return found;
}

/** Negated, or said by a verb such as "failed to". */
function isNegative({ tokens }: Reading, { isNegated, frame, patient, agent }: Clause): boolean {
  const isNone = [...(agent ?? []), ...(patient ?? [])].some(({ from }) =>
    /^(?:no|none|nobody|nothing|neither)$/.test(tokens[from]!.lower),
  );
  const isDenial = frame !== undefined && denials.test(tokens[frame]!.stem);
  return [isNegated, isNone, isDenial].filter(Boolean).length % 2 === 1;
}

/** 2 for what is so, 1 for what is planned or must be, 0 for what may be. */
function certainty({ tokens }: Reading, { modality, frame }: Clause): number {
  if (modality === 'possible') return 0;
  return modality === 'fact' && !(frame !== undefined && plans.test(tokens[frame]!.stem)) ? 2 : 1;
}

function isSpoken({ tokens }: Reading, { frame, isAttributed }: Clause): boolean {
  return isAttributed || (frame !== undefined && opinions.test(tokens[frame]!.stem));
}
