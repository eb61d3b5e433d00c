/** What the checks of a claim find wrong with it. */
import type { Alignment } from '../alignment.ts';
import type { Reading } from '../reading/reading.ts';

export interface Fault {
  /** `contradicted`: the source says otherwise. `unsupported`: the source says less. */
  readonly verdict: 'contradicted' | 'unsupported';
  /** The check that found it, and the words, for people who read a bench. */
  readonly reason: string;
}

/** One check: looks for faults of a claim, given the sentences that say it best, and how their words correspond. */
export type Check = (claim: Reading, source: Reading, alignment: Alignment, context: Context) => readonly Fault[];

/** What the page says around those sentences. */
export interface Context {
  /** Stems of the title and of the headings above. */
  readonly headings: ReadonlySet<string>;
  /** Stems of everything else on the page that comes before. */
  readonly before: ReadonlySet<string>;
}

/** The fault of a claim that its source contradicts. */
export function contradicted(reason: string): Fault {
  return { verdict: 'contradicted', reason };
}

/** The fault of a claim that says more than its source. */
export function unsupported(reason: string): Fault {
  return { verdict: 'unsupported', reason };
}
