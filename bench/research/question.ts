/** A question about a generated web, and its kinds. */
import type { SearchRequest } from '../../protocol/index.ts';
import type { Chain, Fact } from './chains.ts';

/** Those that take many pages, or weigh them. */
const hardKinds = {
  'ten compared': 6,
  'long count': 5,
  history: 6,
  'compared chains': 6,
  newest: 6,
  hearsay: 6,
  report: 5,
} as const;

/** The kinds, with how many questions are of each. */
export const kinds = {
  'one hop': 20,
  'two hops': 16,
  'three hops': 10,
  'four hops': 8,
  comparison: 14,
  count: 10,
  change: 12,
  contradiction: 8,
  'not said': 12,
  wish: 6,
  'follow-up': 4,
  ...hardKinds,
} as const;

export type Kind = keyof typeof kinds;
export type HardKind = keyof typeof hardKinds;

export interface Question {
  readonly kind: Kind;
  readonly text: string;
  /** Asked before, and answered with names: `chains` then start at the second of them. */
  readonly previous?: { readonly text: string; readonly names: readonly string[]; readonly chain: Chain };
  readonly effort: SearchRequest['effort'];
  readonly chains: readonly Chain[];
  /** All that an answer must hold; none if nobody says it. */
  readonly facts: readonly Fact[];
  /** What an answer must not hold. */
  readonly wrong: readonly string[];
  /** What an answer may hold only after its facts. */
  readonly later?: readonly string[];
  /** What a plan takes from the question. */
  readonly wish?: { readonly only?: readonly string[]; readonly from?: string };
  /** What a plan adds although the question does not say it, as models do. */
  readonly fancy?: { readonly only?: readonly string[]; readonly from?: string };
}
