/** Turns a candidate into the value of its leaf. */
import type { LeafValue } from '../../../engine/ports/model.ts';
import type { Field } from './fields.ts';
import type { ValueCandidate } from './value-candidates.ts';

/** Candidates with a lower score are not returned; set by hand. */
const minScore = 0.2;

/**
 * The candidate as a `LeafValue` with its support and a confidence from 0 to 1, or null with confidence 0 if there is none
 * or its score is too low. The logistic curve of the confidence was set by hand.
 */
export function toValue(field: Field, candidate: ValueCandidate | undefined, path = field.path): LeafValue {
  if (candidate === undefined || candidate.score < minScore) return { path, value: null, confidence: 0 };
  const { start, end } = candidate;
  const confidence = Math.round(100 / (1 + Math.exp(-1.2 * (candidate.score - 0.6)))) / 100;
  return { path, value: candidate.value, support: { evidence: candidate.unit.source.n, start, end }, confidence };
}
