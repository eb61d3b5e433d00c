/** Where a claim and its source differ word by word, and by which words that change what a sentence says. */
import type { Reading } from '../reading/reading.ts';
import type { Stretch } from './order-features.ts';

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

/** Longest sequences that are compared; anything longer is not a sentence. */
const maxTokens = { claim: 100, source: 200 };

export interface DifferenceFeatures {
  readonly row: number[];
  /** The share of the claim's words that are in the source in the same order and form, 0 to 1. */
  readonly copied: number;
}

/** `stretch` is where the source has the words of the claim. */
export function differenceFeatures(
  claim: Reading,
  source: Reading,
  { low, high, clauses }: Stretch,
): DifferenceFeatures {
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
    const cue = common.source.has(at) || !clauses.has(source.clauses[at]) ? undefined : cueOf.get(token.lower);
    if (cue !== undefined) found[cue]! += 1;
  }
  const copied = common.claim.size / Math.max(1, length);
  const inSource = source.tokens.slice(low, high + 1).filter((_, at) => !common.source.has(low + at)).length;
  const row = [
    ...said,
    ...found,
    ...said.map((count, cue) => (count > 0 && found[cue] === 0 ? 1 : 0)),
    ...found.map((count, cue) => (count > 0 && said[cue] === 0 ? 1 : 0)),
    moved,
    movedNames,
    ownFunction,
    copied,
    inSource / Math.max(1, length),
  ];
  return { row, copied };
}

/** The tokens of both that are in their longest common sequence. */
function commonTokens(claim: Reading, source: Reading): { claim: Set<number>; source: Set<number> } {
  const words = ({ tokens }: Reading, max: number) =>
    tokens.flatMap(({ kind }, at) => (kind === 'mark' ? [] : [at])).slice(0, max);
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
