/** What the checks of a claim find wrong with it. */
import type { Alignment } from '../alignment.ts';
import type { Reading } from '../reading/reading.ts';

/** Every kind of fault that a check finds, in the order in which a model of claims counts them. */
export const faultKinds = [
  'negated copy',
  'reordered copy',
  'rival',
  'opposite',
  'negated',
  'negated in the claim',
  'negated in the source',
  'time of figure',
  'order of figures',
  'figure elsewhere',
  'figure differs',
  'figure missing',
  'name split',
  'name replaced',
  'name elsewhere',
  'name missing',
  'roles',
  'subject',
  'voice',
  'direction',
  'agent',
  'object',
  'other agent',
  'identity',
  'comparison',
  'hedge',
  'plan',
  'proposal',
  'undecided',
  'first person',
  'opinion',
  'condition',
  'restriction',
  'all of some',
  'all',
  'always',
  'none',
  'some',
  'only',
  'superlative',
  'rank',
  'limit',
  'cause',
  'order',
  'no cause',
  'substitute',
  'degree',
  'trend',
  'evidence',
  'exception',
  'comparison reversed',
  'figure derived',
  'limit reversed',
  'range reversed',
  'person',
  'asked',
] as const;
/**
 * Faults that the comparison of clauses finds are not among `faultKinds`: they decide by themselves, and the model of
 * claims has features of that comparison instead.
 */
export type FaultKind =
  | (typeof faultKinds)[number]
  | `clause ${'roles' | 'polarity' | 'agent' | 'object' | 'phrase' | 'figure'}`;

export interface Fault {
  readonly kind: FaultKind;
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
export function contradicted(kind: FaultKind, reason: string): Fault {
  return { kind, verdict: 'contradicted', reason };
}

/** The fault of a claim that says more than its source. */
export function unsupported(kind: FaultKind, reason: string): Fault {
  return { kind, verdict: 'unsupported', reason };
}
