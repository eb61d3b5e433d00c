/** Turns a candidate into the value of its leaf. */
import type { LeafValue } from '../../../engine/ports/model.ts';
import type { Field } from './fields.ts';

export interface FoundValue {
  readonly value: string | number | boolean;
  /** Offsets into the evidence's text, and its number. */
  readonly start: number;
  readonly end: number;
  readonly evidence: number;
  /** Higher is better. */
  readonly score: number;
}

/** Candidates with a lower score are not returned; set by hand. */
const minScore = 0.2;

/**
 * The candidate as a `LeafValue` with its support and a confidence from 0 to 1, or null with confidence 0 if there is none
 * or its score is too low. The logistic curve of the confidence was set by hand.
 */
export function toValue(field: Pick<Field, 'path'>, found: FoundValue | undefined, path = field.path): LeafValue {
  if (found === undefined || found.score < minScore) return { path, value: null, confidence: 0 };
  const { value, evidence, start, end, score } = found;
  const confidence = Math.round(100 / (1 + Math.exp(-1.2 * (score - 0.6)))) / 100;
  return { path, value, support: { evidence, start, end }, confidence };
}
