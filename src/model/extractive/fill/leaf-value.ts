/** A guess as the value of its leaf, or null where it is too weak to be offered. */
import type { LeafValue } from '../../../engine/ports/model.ts';
import type { Field } from './fields.ts';
import type { ValueCandidate } from './value-candidates.ts';

const least = 0.2;

export function toValue(field: Field, found: ValueCandidate | undefined, path = field.path): LeafValue {
  if (found === undefined || found.score < least) return { path, value: null, confidence: 0 };
  const { start, end } = found;
  const confidence = Math.round(100 / (1 + Math.exp(-1.2 * (found.score - 0.6)))) / 100;
  return { path, value: found.value, support: { evidence: found.unit.source.n, start, end }, confidence };
}
