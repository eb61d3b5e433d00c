/** The phrases of a sentence: groups of a verb with its auxiliaries, noun phrases, and what joins them. */

/** How the verb presents its event: as a fact, as possible, as intended, or as required. */
export type Modality = 'fact' | 'possible' | 'planned' | 'required';

export interface VerbGroup {
  readonly kind: 'verb';
  readonly from: number;
  readonly to: number;
  /** The main verb, or the form of "be" that links a subject with what it is. */
  readonly verb: number;
  readonly form: 'finite' | 'infinitive' | 'participle' | 'ing';
  /** Whether there is an auxiliary: a bare past form may be a participle. */
  readonly hasAuxiliary: boolean;
  readonly isCopula: boolean;
  readonly isPassive: boolean;
  readonly isNegated: boolean;
  readonly modality: Modality;
}

export interface NounPhrase {
  readonly kind: 'noun';
  readonly from: number;
  readonly to: number;
  /** The last noun before "of", or the last one. */
  readonly head: number;
  readonly isPronoun: boolean;
  /** With an article, a possessive or "this". */
  readonly isDefinite: boolean;
}

export interface Joint {
  readonly kind: 'preposition' | 'coordinator' | 'subordinator' | 'relative' | 'mark';
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

export type Phrase = VerbGroup | NounPhrase | Joint;
