/**
 * Learns which words of a page's description of itself tell its kind: naive Bayes over labelled pages, each host with one vote.
 * For training, a host's own votes are subtracted, as in the lexicon.
 */
import { type KindScores, type KindWords, pageKinds } from '../../../src/web/extract/classify/page-kinds.ts';

export interface DescribedPage {
  readonly host: string;
  /** One of `pageKinds`. */
  readonly type: string;
  readonly description: readonly string[];
}

/** The votes of one host, or of all: by kind, and by word and kind. */
interface Votes {
  readonly kinds: number[];
  readonly words: Map<string, number[]>;
}

// Set by hand.
const minVotes = 3;
/** Pseudo-count of a word at its general rate. */
const prior = 2;

const noVotes = () => pageKinds.map(() => 0);

/** The words of all pages, and those without a host's own votes. */
export function learnKinds(pages: readonly DescribedPage[]): { whole: KindWords; without(host: string): KindScores } {
  const byHost = new Map<string, Votes>();
  const sizes = new Map<string, number>();
  for (const { host } of pages) sizes.set(host, (sizes.get(host) ?? 0) + 1);
  const total: Votes = { kinds: noVotes(), words: new Map() };
  for (const { host, type, description } of pages) {
    const kind = pageKinds.indexOf(type as (typeof pageKinds)[number]);
    if (kind < 0) throw new Error(`Expected a kind of page out of ${pageKinds.join(', ')}, got ${type}.`);
    const own = byHost.get(host) ?? { kinds: noVotes(), words: new Map<string, number[]>() };
    byHost.set(host, own);
    for (const votes of [own, total]) {
      votes.kinds[kind]! += 1 / sizes.get(host)!;
      for (const word of description) {
        const each = votes.words.get(word) ?? noVotes();
        votes.words.set(word, each);
        each[kind]! += 1 / sizes.get(host)!;
      }
    }
  }
  const scoreOf = (word: string, own: Votes | undefined): number[] | undefined => {
    const all = total.words.get(word);
    if (all === undefined) return undefined;
    const counts = all.map((count, kind) => count - (own?.words.get(word)?.[kind] ?? 0));
    const sum = counts.reduce((a, b) => a + b, 0);
    if (sum < minVotes - 1e-9) return undefined;
    const kinds = total.kinds.map((count, kind) => count - (own?.kinds[kind] ?? 0));
    const rate = sum / kinds.reduce((a, b) => a + b, 0);
    return counts.map((count, kind) => {
      const rateOfKind = (count + prior * rate) / (kinds[kind]! + prior);
      return Math.round(10 * Math.log(rateOfKind / rate));
    });
  };
  const whole: Record<string, number[]> = {};
  for (const word of [...total.words.keys()].sort()) {
    const scores = scoreOf(word, undefined);
    if (scores !== undefined) whole[word] = scores;
  }
  return { whole, without: (host) => ({ get: (word) => scoreOf(word, byHost.get(host)) }) };
}
