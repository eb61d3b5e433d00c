/**
 * What a model of claims knows of a claim and the sentences that may say it: how much of it they say and in which order, what either
 * has that the other has not, by kinds of words, how verbs and their arguments are turned, and the faults that the checks found. Bounded by the
 * length of a sentence.
 */
import { type Fault, type FaultKind, faultKinds } from '../checks/fault.ts';
import { isPassive, isVerb, orientationAt } from '../checks/roles.ts';
import type { Candidate } from '../closest-sentences.ts';
import type { Reading } from '../reading/reading.ts';
import { isListed } from '../reading/word-relations.ts';
import { stanceFeatures } from './stance.ts';

/** Words that change what a sentence says although they have no subject of their own. */
const cues: readonly ReadonlySet<string>[] = [
  'not never no none nobody nothing neither nor without hardly barely rarely fail failed refused declined lack lacks lacked',
  'may might could perhaps possibly probably likely maybe apparently allegedly reportedly supposedly presumably potentially seem seems seemed appear appears appeared suspected rumoured rumored possible probable potential can estimated',
  'will would shall plan plans planned planning propose proposed proposes intend intends intended hope hopes hoped aim aims aimed scheduled expected expects forecast predicted promised going agreed wants wanted tried attempted sought projected considering',
  'argue argues argued claim claims claimed believe believes believed think thinks thought insist insists insisted contend contends contended assert asserts asserted allege alleges alleged fear fears feared suspect suspects feel felt warn warned warns speculate speculated suggest suggests suggested say says said told called describe described view opinion according stated criticized criticised praised wrote writes consider considered',
  'if unless except provided when whenever otherwise excluding until depending where',
  'only solely exclusively just alone limited restricted other',
  'all every each always entire entirely whole completely everyone everything any fully',
  'some many most several few part partly partially often usually sometimes generally mainly mostly largely almost nearly majority half certain typically among',
  'more less fewer higher lower larger smaller greater better worse longer shorter older than most least',
  'because due led caused resulted therefore since after before following prior then while',
  'he she it they his her its their this these those that',
].map((list) => new Set(list.split(' ')));
const cueOf = new Map<string, number>();
for (const [at, words] of cues.entries()) for (const word of words) if (!cueOf.has(word)) cueOf.set(word, at);

/** Longest sequences that are compared; more is no sentence. */
const maxTokens = { claim: 100, source: 200 };

export interface ClaimFeatures {
  /** In a fixed order. */
  readonly row: number[];
  /** The share of the claim's words that are in the source in the same order and form, 0 to 1. */
  readonly copied: number;
}

/** The features of a claim and one candidate. */
export function claimFeatures(claim: Reading, candidate: Candidate, faults: readonly Fault[]): ClaimFeatures {
  const { reading: source, alignment, context, share, sentences } = candidate;
  const { headings, before } = context;
  const { matches, reverse, substitutions } = alignment;
  const row: number[] = [share, sentences];

  // How much is said.
  const counts = {
    content: 0,
    light: 0,
    names: 0,
    missing: 0,
    missingLight: 0,
    missingNames: 0,
    missingListed: 0,
    known: 0,
    past: 0,
  };
  const relations = { same: 0, stem: 0, wider: 0, opposite: 0, converse: 0, rival: 0 };
  for (const at of claim.words) {
    const token = claim.tokens[at]!;
    const match = matches.get(at);
    if (claim.isName[at]) counts.names += 1;
    if (token.kind === 'light') counts.light += 1;
    else counts.content += 1;
    if (match === undefined) {
      if (headings.has(token.stem) || (claim.isName[at] && before.has(token.stem))) counts.known += 1;
      else if (token.kind === 'light') counts.missingLight += 1;
      else if (claim.isName[at]) counts.missingNames += 1;
      else {
        counts.missing += 1;
        if (isListed(token.stem)) counts.missingListed += 1;
        if (token.lower.endsWith('ed')) counts.past += 1;
      }
    } else if (token.kind !== 'light') {
      if (match.relation === 'same')
        token.stem === source.tokens[match.at]!.stem ? (relations.stem += 1) : (relations.same += 1);
      else relations[match.relation] += 1;
    }
  }
  const content = Math.max(1, counts.content);
  row.push(
    ...Object.values(counts),
    ...Object.values(relations),
    counts.missing / content,
    relations.stem / content,
    (relations.same + relations.wider) / content,
  );
  const namedSubstitutions = substitutions.filter(
    ({ said, found }) => claim.isName[said] || source.isName[found],
  ).length;
  row.push(substitutions.length, namedSubstitutions);
  row.push(
    claim.quantities.length,
    claim.dates.length,
    source.quantities.length,
    source.dates.length,
    claim.tokens.length,
    source.tokens.length,
  );

  // In which order.
  const pairs = [...matches]
    .filter(([at, { relation }]) => claim.tokens[at]!.kind !== 'light' && relation !== 'rival')
    .sort((a, b) => a[0] - b[0]);
  let [inverted, names, near, nearTurned, apart, parted] = [0, 0, 0, 0, 0, 0];
  for (const [index, [at, { at: to }]] of pairs.entries()) {
    const next = pairs[index + 1];
    if (next !== undefined) {
      const gap = next[1].at - to;
      if (gap > 0 && gap <= 4 && source.clauses[to] === source.clauses[next[1].at]) near += 1;
      if (gap < 0 && gap >= -6) nearTurned += 1;
      if (claim.clauses[at] === claim.clauses[next[0]] && source.clauses[to] !== source.clauses[next[1].at]) {
        apart += 1;
        const [from, until] = [Math.min(to, next[1].at), Math.max(to, next[1].at)];
        if (source.tokens.slice(from, until).some(({ text }) => text === '.' || text === ';')) parted += 1;
      }
    }
    for (const [other, { at: there }] of pairs.slice(index + 1)) {
      if (there >= to) continue;
      inverted += 1;
      if (claim.isName[at] && claim.isName[other]) names += 1;
    }
  }
  const possible = Math.max(1, (pairs.length * (pairs.length - 1)) / 2);
  const places = pairs.map(([, { at }]) => at);
  const [low, high] = [Math.min(...places, source.tokens.length), Math.max(...places, 0)];
  row.push(inverted / possible, inverted, names, near / Math.max(1, pairs.length - 1), nearTurned, apart, parted);
  const clauses = new Set(places.map((at) => source.clauses[at]));
  const unsaid = source.words.filter(
    (at) => at > low && at < high && !reverse.has(at) && source.tokens[at]!.kind === 'content',
  ).length;
  row.push(
    clauses.size,
    (high - low) / Math.max(1, claim.tokens.length),
    unsaid / content,
    new Set(claim.clauses).size,
  );

  // What differs word by word.
  const common = commonTokens(claim, source);
  const said = new Array<number>(cues.length).fill(0);
  const found = new Array<number>(cues.length).fill(0);
  let [moved, movedNames, ownFunction, length] = [0, 0, 0, 0];
  for (const [at, token] of claim.tokens.entries()) {
    if (token.kind === 'mark') continue;
    length += 1;
    if (common.claim.has(at)) continue;
    const cue = cueOf.get(token.lower);
    if (cue !== undefined) said[cue]! += 1;
    if (token.kind === 'function') ownFunction += 1;
    const isFixed = claim.isName[at] || token.kind === 'number';
    if (source.tokens.some(({ stem }) => stem === token.stem))
      isFixed ? (movedNames += 1) : token.kind === 'content' && (moved += 1);
  }
  for (const [at, token] of source.tokens.entries()) {
    const cue = common.source.has(at) || !clauses.has(source.clauses[at]!) ? undefined : cueOf.get(token.lower);
    if (cue !== undefined) found[cue]! += 1;
  }
  const copied = common.claim.size / Math.max(1, length);
  const inSource = source.tokens.slice(low, high + 1).filter((_, at) => !common.source.has(low + at)).length;
  row.push(
    ...said,
    ...found,
    ...said.map((count, cue) => (count > 0 && found[cue] === 0 ? 1 : 0)),
    ...found.map((count, cue) => (count > 0 && said[cue] === 0 ? 1 : 0)),
    moved,
    movedNames,
    ownFunction,
    copied,
    inSource / Math.max(1, length),
  );

  // Verbs and their arguments.
  const turned = {
    straight: 0,
    inverted: 0,
    straightVoice: 0,
    invertedVoice: 0,
    verbs: 0,
    prepositions: 0,
    otherPrepositions: 0,
    subjects: 0,
    otherSubjects: 0,
  };
  for (const [at, { at: to, relation }] of matches) {
    if (claim.tokens[at]!.kind !== 'content' || relation === 'rival') continue;
    const [one, other] = [prepositionBefore(claim, at), prepositionBefore(source, to)];
    if (one !== undefined && other !== undefined)
      one === other ? (turned.prepositions += 1) : (turned.otherPrepositions += 1);
    if (claim.isName[at] || !isVerb(claim, at)) continue;
    turned.verbs += 1;
    const isTurned = isPassive(claim, at) !== isPassive(source, to);
    const orientation = orientationAt(claim, source, alignment, at);
    if (orientation !== undefined) turned[isTurned ? (`${orientation}Voice` as const) : orientation] += 1;
    const [subject, actual] = [wordBefore(claim, at), wordBefore(source, to)];
    if (subject !== undefined && actual !== undefined)
      matches.get(subject)?.at === actual ? (turned.subjects += 1) : (turned.otherSubjects += 1);
  }
  row.push(...Object.values(turned));

  const kinds = new Array<number>(faultKinds.length).fill(0);
  for (const { kind } of faults) kinds[(faultKinds as readonly FaultKind[]).indexOf(kind)]! += 1;
  row.push(...stanceFeatures(claim, source, (at) => clauses.has(source.clauses[at])));
  row.push(faults.length, faults.filter(({ verdict }) => verdict === 'contradicted').length, ...kinds);
  return { row, copied };
}

const prepositions = new Set(
  'in on at by to from for with of during since until after before into under over between against through as about than'.split(
    ' ',
  ),
);

function prepositionBefore({ tokens }: Reading, at: number): string | undefined {
  for (let index = at - 1; index >= Math.max(0, at - 3); index -= 1) {
    const { lower, kind } = tokens[index]!;
    if (prepositions.has(lower)) return lower;
    if (kind === 'mark' || (kind === 'content' && index < at - 2)) return undefined;
  }
  return undefined;
}

/** The nearest content word before a verb, in its clause. */
function wordBefore({ tokens, clauses, isName }: Reading, verb: number): number | undefined {
  for (let at = verb - 1; at >= 0 && clauses[at] === clauses[verb]; at -= 1)
    if (tokens[at]!.kind === 'content' || isName[at]) return at;
  return undefined;
}

/** The tokens of both that are in their longest common sequence. */
function commonTokens(claim: Reading, source: Reading): { claim: Set<number>; source: Set<number> } {
  const words = ({ tokens }: Reading, most: number) =>
    tokens.flatMap(({ kind }, at) => (kind === 'mark' ? [] : [at])).slice(0, most);
  const [said, found] = [words(claim, maxTokens.claim), words(source, maxTokens.source)];
  const columns = found.length + 1;
  const best = new Uint8Array((said.length + 1) * columns);
  const isEqual = (i: number, j: number) => claim.tokens[said[i]!]!.lower === source.tokens[found[j]!]!.lower;
  for (let i = said.length - 1; i >= 0; i -= 1)
    for (let j = found.length - 1; j >= 0; j -= 1)
      best[i * columns + j] = isEqual(i, j)
        ? 1 + best[(i + 1) * columns + j + 1]!
        : Math.max(best[(i + 1) * columns + j]!, best[i * columns + j + 1]!);
  const common = { claim: new Set<number>(), source: new Set<number>() };
  for (let i = 0, j = 0; i < said.length && j < found.length; ) {
    if (isEqual(i, j)) {
      common.claim.add(said[i]!);
      common.source.add(found[j]!);
      i += 1;
      j += 1;
    } else if (best[(i + 1) * columns + j]! >= best[i * columns + j + 1]!) i += 1;
    else j += 1;
  }
  return common;
}
