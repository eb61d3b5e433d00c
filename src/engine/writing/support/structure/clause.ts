/** A clause, and one that is still being read. */
import type { Modality, NounPhrase, VerbGroup } from './phrase.ts';

export interface Clause {
  /** Tokens of the main verb; of "is" where a noun or an adjective says what the subject is. */
  readonly verb: number;
  readonly isCopula: boolean;
  /** Who acts, or what the subject of "is" is: the active and the passive voice are the same here. */
  agent: Argument | undefined;
  patient: Argument | undefined;
  phrases: readonly { readonly preposition: string; readonly noun: NounPhrase }[];
  readonly isNegated: boolean;
  readonly modality: Modality;
  readonly role: 'main' | 'condition' | 'relative' | 'complement' | 'aside';
  /** Whether it holds only under a condition that another clause states. */
  isConditional: boolean;
  /** The verb that says, thinks, plans or fails what this clause is about; undefined if it is by itself. */
  readonly frame: number | undefined;
  /** Whether it holds "according to" somebody. */
  readonly isAttributed: boolean;
  /** The word that opens it, such as "who" or "after"; '' if none does. */
  readonly marker: string;
  /** Its tokens, with its subject if it has one of its own. */
  readonly from: number;
  to: number;
}

/** A subject or an object: one noun phrase, or several joined by "and". */
export type Argument = readonly NounPhrase[];

/** A clause whose verb and opening were read. */
export interface OpenClause {
  readonly group: VerbGroup;
  readonly clause: Clause & { role: Clause['role'] };
  readonly subject: Argument | undefined;
  /** The noun that a relative clause is about. */
  readonly antecedent: Argument | undefined;
  /** Index of its group among the phrases. */
  readonly at: number;
}
