/**
 * The pairs that the model of claims learns from: made ones, those of bench/questions/claims, and the claims of the latter beside other pages,
 * each with the sentences of its page that may say it.
 */
import { learnedSplits, readClaims } from '../../../bench/questions/claims.ts';
import { createRandom } from '../../../bench/support/random.ts';
import {
  foreignLanguageOf,
  readCandidates,
  readClaim,
  readSource,
} from '../../../src/engine/writing/support/check-claim.ts';
import { type ClaimPair, makeClaimPairs } from './claim-pairs.ts';
import { createOtherPages } from './other-pages.ts';

/** Claims beside another page, which does not say them: the one closest to them, and any. */
export const beside = ['near page', 'far page'] as const;
/** Where an example comes from. */
export const sets = ['made', ...learnedSplits, ...beside] as const;

export interface Example extends Omit<ClaimPair, 'text' | 'title'> {
  readonly set: (typeof sets)[number];
  /** The sentences that may say it. */
  readonly read: ReturnType<typeof readCandidates>;
}

/** The share of the made pairs that are learned and measured, drawn once; the rest teaches no more of claims that people write. */
const madeShare = 0.12;

/** Whether somebody wrote a pair, about its own page. */
export function isByHand({ set }: Example): boolean {
  return (learnedSplits as readonly string[]).includes(set);
}

/** All examples; `folder` holds questions.jsonl.gz. The same files and the same seed result in the same examples. */
export function gatherExamples(folder: string, seed: number): Example[] {
  const random = createRandom(seed);
  const made = makeClaimPairs(folder).flatMap((pair) =>
    random() < madeShare ? [{ ...pair, set: 'made' as Example['set'] }] : [],
  );
  const sources = new Map<string, ReturnType<typeof readSource>>();
  return [...made, ...pairsByHand()].flatMap(({ text, title, ...pair }) => {
    const source = sources.get(pair.page) ?? readSource(text, title, '');
    sources.set(pair.page, source);
    const said = readClaim(pair.claim, source.names);
    // What is in another language is not for the model to judge.
    if (foreignLanguageOf(said, source) !== undefined) return [];
    return [{ ...pair, read: readCandidates(said, source) }];
  });
}

/** The claims of bench/questions/claims, beside their own pages and beside others, in the fold of their own. */
function pairsByHand(): (ClaimPair & Pick<Example, 'set'>)[] {
  const claims = learnedSplits.flatMap((set) =>
    readClaims(set).map((line) => ({ ...line, set, key: `${set} ${line.page}` })),
  );
  const others = createOtherPages([
    ...new Map(claims.map(({ key, about }) => [key, { key, title: about.title, text: about.text }])).values(),
  ]);
  return claims.flatMap(({ way, claim, true: isTrue, set, key, about }, at) => {
    const own = { page: key, article: key, title: about.title, text: about.text, way, claim, true: isTrue, set };
    const elsewhere = [others.near(key, claim), others.far(key, at)].flatMap((page, kind) => {
      const name = beside[kind]!;
      return page === undefined
        ? []
        : [{ ...own, page: page.key, title: page.title, text: page.text, way: name, true: false, set: name }];
    });
    return [own, ...elsewhere];
  });
}
