/**
 * What is between the complements of one verb and the next verb: where it begins, and what it says of the clause that it opens. "…,
 * which was built in 1882": a relative clause about the noun before; "and opened": a clause that shares its subject.
 */
import type { Reading } from '../reading/reading.ts';
import type { Argument, Clause, OpenClause } from './clause.ts';
import { clausal } from './function-words.ts';
import type { Joint, NounPhrase, Phrase, VerbGroup } from './phrase.ts';
import { verbFormsOf } from './verb-forms.ts';

export interface Opening {
  readonly role: Clause['role'];
  readonly subject: Argument | undefined;
  readonly antecedent: Argument | undefined;
  /** "who", "where". */
  readonly marker: string;
  /** Whether the subject is that of the verb before: "… and opened". */
  readonly isShared: boolean;
  readonly phrases: Clause['phrases'];
}

/** Where the complements of a verb end and the opening of the next begins. */
export function openingEnd(
  phrases: readonly Phrase[],
  from: number,
  verb: number,
  reading: Reading,
  group: VerbGroup,
  isModifier: boolean,
): number {
  const next = phrases[verb] as VerbGroup;
  if (next.form === 'infinitive') return verb;
  // "A plan to extend the farm was dropped".
  if (isModifier && phrases.slice(from, verb).every(({ kind }) => kind === 'noun' || kind === 'preposition'))
    return verb;
  for (let at = verb - 1; at >= from; at -= 1) {
    const phrase = phrases[at]!;
    if (phrase.kind === 'relative' || phrase.kind === 'subordinator') return at;
    if (phrase.kind === 'preposition' && clausal.has(phrase.word) && isSubjectBetween(phrases, at + 1, verb)) {
      const free = lastFree(phrases, from, at);
      if (free === undefined || phrases[free - 1]?.kind !== 'coordinator') return at;
    }
  }
  let free = lastFree(phrases, from, verb);
  // "And the last keeper, Olaf Brand, left": an apposition between commas belongs to the noun before it.
  const isBetweenCommas =
    free !== undefined && phrases[free + 1]?.kind === 'mark' && phrases[free - 1]?.kind === 'mark';
  if (
    free !== undefined &&
    isBetweenCommas &&
    free - 2 > from &&
    phrases[free - 2]!.kind === 'noun' &&
    phrases[free - 3]!.kind === 'coordinator'
  )
    free -= 2;
  // The subject of the next verb, with what joins it: "…, and the tower was built".
  if (free !== undefined && isSubjectBetween(phrases, free, verb) && !isObject(free)) {
    let at = free;
    while (at > from && isLead(phrases, at - 1, from)) at -= 1;
    return at;
  }
  for (let at = verb - 1; at >= from; at -= 1) {
    const phrase = phrases[at]!;
    if (phrase.kind === 'coordinator' || phrase.kind === 'mark') {
      return at > from && phrases[at - 1]!.kind === 'mark' && phrase.kind === 'coordinator' ? at - 1 : at;
    }
    if (phrase.kind === 'noun' && free === at) break;
  }
  return verb;

  /** The first noun phrase after a verb that takes one is its object: "opened the bridge designed by X". */
  function isObject(at: number): boolean {
    const isParticiple =
      next.form === 'participle' ||
      next.form === 'ing' ||
      (!next.hasAuxiliary && reading.tokens[next.to]?.lower === 'by');
    // "Who had lost two finals, took the lead".
    const isBeforeComma = at === from && phrases[at + 1]?.kind === 'mark' && at + 2 === verb;
    return at === from && (isParticiple || isBeforeComma) && !group.isCopula;
  }
}

/** Reads what is between the complements of one verb and the next verb. */
export function openingOf(
  phrases: readonly Phrase[],
  from: number,
  verb: number,
  found: readonly OpenClause[],
  reading: Reading,
): Opening {
  const group = phrases[verb] as VerbGroup;
  const last = found.at(-1);
  // "Hopes to restore it, but has not raised the money": a finite verb continues from a finite one.
  const before =
    group.form === 'finite' && last?.group.form === 'infinitive' && isInflected(reading, group)
      ? (found.findLast((each) => each.group.form === 'finite') ?? last)
      : last;
  const own = phrases.slice(from, verb);
  const marker = own.find(
    (phrase): phrase is Joint =>
      phrase.kind === 'relative' ||
      phrase.kind === 'subordinator' ||
      (phrase.kind === 'preposition' && clausal.has(phrase.word) && phrase === own[0] && before !== undefined),
  );
  const inPhrases: { preposition: string; noun: NounPhrase }[] = [];
  const free: NounPhrase[] = [];
  for (const [index, phrase] of own.entries()) {
    if (phrase.kind !== 'noun') continue;
    const lead = own[index - 1];
    if (lead?.kind === 'preposition' && lead !== marker) inPhrases.push({ preposition: lead.word, noun: phrase });
    else if (lead?.kind === 'preposition' && index < own.length - 1 && !isSubjectBetween(own, index, own.length))
      inPhrases.push({ preposition: lead.word, noun: phrase });
    else free.push(phrase);
  }
  // A date or an amount of time before a subject is not a subject: "The next year the bridge …".
  const nouns = free.length > 1 ? free.filter(({ head }) => !reading.isFigure[head]) : free;
  const joined = subjectOf(nouns, own);
  const shared = { isShared: true, subject: before?.subject ?? before?.clause.patient };
  const plain = { antecedent: undefined, marker: marker?.word ?? '', phrases: inPhrases, isShared: false };
  if (group.form === 'infinitive' && before !== undefined) {
    const isCausative =
      /^(?:allow|ask|forc|order|enabl|requir|urg|tell|permit|persuad|invit|encourag|want|help|hir)/.test(
        reading.tokens[before.clause.verb]!.stem,
      );
    const own = isCausative && !before.group.isPassive ? before.clause.patient : before.subject;
    return { ...plain, role: 'complement', subject: own };
  }
  if (marker?.kind === 'relative') {
    const isComplement = marker.word === 'that' && before !== undefined && phrases[before.at + 1] === marker;
    if (isComplement) return { ...plain, role: 'complement', subject: joined };
    const antecedent = nounBefore(phrases, phrases.indexOf(marker));
    return { ...plain, role: 'relative', subject: joined, antecedent };
  }
  if (marker !== undefined) {
    const isCondition = /^(?:if|unless|provided|whether|when|whenever)$/.test(marker.word);
    const isPast =
      group.form === 'finite' &&
      /(?:ed|was|were|had)$/.test(reading.tokens[group.hasAuxiliary ? group.from : group.verb]!.lower);
    const role = isCondition && !(marker.word === 'when' && isPast) ? 'condition' : 'aside';
    return { ...plain, role: marker.word === 'whether' ? 'complement' : role, subject: joined ?? before?.subject };
  }
  if (group.form === 'ing' && joined === undefined) return { ...plain, role: 'aside', subject: before?.subject };
  if (joined !== undefined) {
    // "If A and B".
    const isSame = before?.clause.role === 'condition' && found.length > 1 && own[0]?.kind === 'coordinator';
    if (isSame) return { ...plain, role: 'condition', subject: joined };
    // "He said the bridge was closed": the object is a clause.
    const isComplement = before !== undefined && own[0]?.kind === 'noun' && from === before.at + 1;
    return { ...plain, role: isComplement ? 'complement' : 'main', subject: joined };
  }
  if (before === undefined) return { ...plain, role: 'main', subject: undefined };
  const isJoined = own.some(({ kind }) => kind === 'coordinator');
  if (isJoined) return { ...plain, ...shared, role: before.clause.role, antecedent: before.antecedent };
  if (group.form === 'participle') {
    const noun = nounBefore(phrases, verb);
    return { ...plain, role: 'aside', subject: noun ?? before.subject };
  }
  // "The tower, which was built in 1882, is red"; "the tower built in 1882 is red".
  let outer = found.length - 1;
  while (outer > 0 && found[outer]!.clause.role === 'relative' && found[outer - 1]!.clause.role === 'relative')
    outer -= 1;
  const { antecedent, subject, clause } = found[outer]!;
  return { ...plain, role: 'main', subject: antecedent ?? subject ?? clause.patient };
}

/** Whether a noun phrase, with phrases of its own, is between an index and a verb. */
function isSubjectBetween(phrases: readonly Phrase[], from: number, verb: number): boolean {
  const first = phrases[from];
  if (first?.kind !== 'noun') return false;
  for (let at = from + 1; at < verb; at += 1) {
    const { kind } = phrases[at]!;
    if (kind === 'noun' || kind === 'preposition') continue;
    if (kind === 'coordinator' && phrases[at + 1]?.kind === 'noun' && at + 1 < verb) continue;
    // "Ada Lindqvist, the engineer, was …".
    if (kind === 'mark') continue;
    return false;
  }
  return true;
}

/** The last noun phrase without a preposition that may be a subject, with the one that "and" joins to it. */
function lastFree(phrases: readonly Phrase[], from: number, to: number): number | undefined {
  for (let at = to - 1; at >= from; at -= 1)
    if (phrases[at]!.kind === 'noun' && phrases[at - 1]?.kind !== 'preposition') return at;
  return undefined;
}

/** What belongs to the opening of a clause before its subject: "and", a comma, "In 1931,". */
function isLead(phrases: readonly Phrase[], at: number, from: number): boolean {
  const { kind } = phrases[at]!;
  if (kind === 'coordinator' || kind === 'mark') return true;
  // "…, and in 1931 the tower": a phrase counts only after what joins.
  if (kind === 'noun' && phrases[at - 1]?.kind === 'preposition' && at - 2 >= from) {
    const before = phrases[at - 2]!.kind;
    return before === 'coordinator' || before === 'mark';
  }
  if (kind === 'preposition' && at - 1 >= from && phrases[at + 1]?.kind === 'noun') {
    const before = phrases[at - 1]!.kind;
    return before === 'coordinator' || before === 'mark';
  }
  return false;
}

/** Whether a verb has an auxiliary or an ending that no infinitive has. */
function isInflected({ tokens }: Reading, { hasAuxiliary, verb }: VerbGroup): boolean {
  const { past, third } = verbFormsOf(tokens[verb]!.lower);
  return hasAuxiliary || past || third;
}

/** The noun phrases of a subject: the last one, and those that "and" joins to it; of an apposition the first. */
function subjectOf(nouns: readonly NounPhrase[], own: readonly Phrase[]): Argument | undefined {
  const last = nouns.at(-1);
  if (last === undefined) return undefined;
  const joined = [last];
  for (let at = nouns.length - 2; at >= 0; at -= 1) {
    const [from, to] = [own.indexOf(nouns[at]!), own.indexOf(joined[0]!)];
    const between = own.slice(from + 1, to);
    if (
      !between.every(
        ({ kind }) => kind === 'coordinator' || kind === 'mark' || kind === 'preposition' || kind === 'noun',
      ) ||
      between.length === 0
    )
      break;
    joined.unshift(nouns[at]!);
  }
  return joined;
}

/** The nearest noun phrase before an index, over one comma. */
function nounBefore(phrases: readonly Phrase[], at: number): Argument | undefined {
  for (let index = at - 1; index >= Math.max(0, at - 3); index -= 1) {
    const phrase = phrases[index]!;
    if (phrase.kind === 'noun') return [phrase];
    if (phrase.kind === 'verb') return undefined;
  }
  return undefined;
}
