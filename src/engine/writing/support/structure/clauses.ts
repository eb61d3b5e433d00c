/**
 * The clauses of an English sentence: the actor, the action and its object, the phrases, how certain it is, and who says so. "It was
 * designed by X and first lit on 3 May" is two clauses with one subject; the object of a passive is its patient; what
 * follows "if" is a condition of the clause next to it. A sentence that is too long, or has no known verb, has none: its
 * callers then know nothing.
 */
import type { Reading } from '../reading/reading.ts';
import type { Argument, Clause, OpenClause } from './clause.ts';
import { impliedClauses } from './implied-clauses.ts';
import { type Opening, openingEnd, openingOf } from './opening.ts';
import type { Modality, NounPhrase, Phrase, VerbGroup } from './phrase.ts';
import { readPhrases } from './phrases.ts';
import { verbFormsOf } from './verb-forms.ts';

/** A longer "sentence" is a list, or hostile. */
const maxTokens = 400;

const known = new WeakMap<Reading, readonly Clause[]>();

/** The clauses of what was read, in order; remembered. */
export function clausesOf(reading: Reading): readonly Clause[] {
  let clauses = known.get(reading);
  if (clauses === undefined) {
    clauses = reading.tokens.length > maxTokens ? [] : readClauses(reading);
    known.set(reading, clauses);
  }
  return clauses;
}

const stops = /^[.;!?|:]$/;

function readClauses(reading: Reading): Clause[] {
  const { tokens } = reading;
  const clauses: Clause[] = [];
  for (let from = 0; from < tokens.length; ) {
    let to = from;
    while (to < tokens.length && !stops.test(tokens[to]!.text)) to += 1;
    clauses.push(...readStretch(reading, from, to));
    from = to + 1;
  }
  return clauses;
}

/** The clauses between two full stops. */
function readStretch(reading: Reading, from: number, to: number): Clause[] {
  const { tokens } = reading;
  const phrases = readPhrases(reading, from, to);
  const isAttributed = tokens[from]?.lower === 'according' && tokens[from + 1]?.lower === 'to';
  const verbs = phrases.flatMap((phrase, at) => (phrase.kind === 'verb' ? [at] : []));
  const found: OpenClause[] = [];
  let start = 0;
  for (const [index, at] of verbs.entries()) {
    const group = phrases[at] as VerbGroup;
    const before = found.at(-1);
    const opening = openingOf(phrases, start, at, found, reading);
    const next = verbs[index + 1];
    const end =
      next === undefined
        ? phrases.length
        : openingEnd(phrases, at + 1, next, reading, group, index === 0 && group.form === 'infinitive');
    found.push(open(group, at, opening, end, before));
    start = end;
  }
  // "Designed by X, the bridge …": the subject comes later.
  const [first, second] = found;
  if (first?.group.form === 'participle' && first.subject === undefined && second?.subject !== undefined)
    first.clause.patient = second.subject;
  if (first !== undefined) spreadDate(first, found.slice(1), reading);
  for (const [index, { clause }] of found.entries()) {
    if (clause.role !== 'condition') continue;
    // "If A, B" and "A if B".
    const main = found[index + 1]?.clause.role === 'main' && index === 0 ? found[index + 1] : found[index - 1];
    if (main !== undefined) main.clause.isConditional = true;
  }
  return [...found.map(({ clause }) => clause), ...impliedClauses(reading, phrases)];

  function open(
    group: VerbGroup,
    at: number,
    opening: Opening,
    end: number,
    before: OpenClause | undefined,
  ): OpenClause {
    const after = complementsOf(phrases, at + 1, end);
    const gap = opening.role === 'relative' && opening.subject !== undefined && opening.antecedent !== undefined;
    // "Is a maker of scales based in Oster": the maker, and so the subject of "is", is based there.
    const isReduced =
      opening.role === 'complement' &&
      before?.group.isCopula === true &&
      opening.subject?.[0]?.from === before.group.to &&
      !opening.subject[0].isPronoun &&
      !group.hasAuxiliary &&
      after.objects === undefined &&
      verbFormsOf(reading.tokens[group.verb]!.lower).participle;
    if (isReduced) {
      before.clause.patient ??= opening.subject;
      before.clause.to = opening.subject!.at(-1)!.to;
    }
    const role = isReduced ? 'relative' : opening.role;
    const subject = isReduced
      ? before.subject
      : (opening.subject ?? (opening.role === 'relative' ? opening.antecedent : undefined));
    const object =
      after.objects ??
      (gap && opening.marker !== 'where' && opening.marker !== 'whose' ? opening.antecedent : undefined);
    const by = group.isPassive ? agentIn(after.phrases, reading) : undefined;
    const isElided =
      !group.isPassive &&
      !group.hasAuxiliary &&
      opening.isShared &&
      before?.group.isPassive === true &&
      object === undefined;
    const isPassive = group.isPassive || isElided || isReduced;
    // "Was named player of the match", "was paid 20 crowns".
    const retained = group.isPassive ? (after.objects ?? []).map((noun) => ({ preposition: 'as', noun })) : [];
    const isFrame = role === 'complement' && before !== undefined;
    const clause: OpenClause['clause'] = {
      verb: group.verb,
      isCopula: group.isCopula,
      agent: isPassive ? (by === undefined ? undefined : [by.noun]) : subject,
      patient: isPassive ? subject : object,
      phrases: [...opening.phrases, ...retained, ...after.phrases.filter((phrase) => phrase !== by)],
      isNegated: group.isNegated,
      modality: modalityOf(group, opening, before),
      role,
      isConditional: false,
      frame: isFrame ? before.clause.verb : opening.isShared ? before?.clause.frame : undefined,
      isAttributed,
      marker: opening.marker,
      from: phrases[start]!.from,
      to: phrases[end - 1]!.to,
    };
    return { group, clause, subject, antecedent: opening.antecedent, at };
  }
}

/** "Was closed in May by the city", but not "because of objections by the navy", nor "rose by 5". */
function agentIn(phrases: Clause['phrases'], { isFigure }: Reading): Clause['phrases'][number] | undefined {
  const at = phrases.findIndex(({ preposition }) => preposition === 'by');
  const by = phrases[at];
  if (by === undefined || isFigure[by.noun.head]) return undefined;
  return phrases
    .slice(0, at)
    .some(({ preposition }) => /^(?:of|because|after|following|despite|due|with)$/.test(preposition))
    ? undefined
    : by;
}

/** "In 1962 the light was automated and the keeper left": the date is of both, unless the second has its own. */
function spreadDate(first: OpenClause, others: readonly OpenClause[], { dates }: Reading): void {
  const isDate = ({ noun }: Clause['phrases'][number]) =>
    dates.some(({ from, to }) => from < noun.to && to > noun.from);
  const leading = first.clause.phrases.filter((phrase) => phrase.noun.to <= first.group.from && isDate(phrase));
  for (const { clause } of others)
    if (clause.role === 'main' && !clause.phrases.some(isDate)) clause.phrases = [...leading, ...clause.phrases];
}

/** "A plan to extend the farm" is planned; a verb that "and" joins is as certain as the one before. */
function modalityOf(group: VerbGroup, opening: Opening, before: OpenClause | undefined): Modality {
  if (group.form === 'infinitive' && before === undefined) return 'planned';
  return opening.isShared && before !== undefined && !group.hasAuxiliary ? before.group.modality : group.modality;
}

/** Objects and phrases after a verb. */
function complementsOf(
  phrases: readonly Phrase[],
  from: number,
  to: number,
): { objects: Argument | undefined; phrases: { preposition: string; noun: NounPhrase }[] } {
  const objects: NounPhrase[] = [];
  const found: { preposition: string; noun: NounPhrase }[] = [];
  let isClosed = false;
  for (let at = from; at < to; at += 1) {
    const phrase = phrases[at]!;
    if (phrase.kind !== 'noun') continue;
    const before = phrases[at - 1]!;
    if (before.kind === 'preposition') {
      found.push({ preposition: before.word, noun: phrase });
      isClosed = true;
    } else if (before.kind === 'coordinator' && isClosed && found.length > 0)
      found.push({ preposition: found.at(-1)!.preposition, noun: phrase });
    else if (isClosed) found.push({ preposition: ',', noun: phrase });
    else objects.push(phrase);
  }
  return { objects: objects.length === 0 ? undefined : objects, phrases: found };
}
