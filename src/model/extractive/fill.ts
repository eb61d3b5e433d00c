import type { Leaf, LeafValue } from '../../engine/ports.ts';
import type { Source } from './passages.ts';

export function fill(_prompt: string, leaves: readonly Leaf[], _sources: readonly Source[]): LeafValue[] {
  return leaves.filter((leaf) => !leaf.path.includes('/-')).map(({ path }) => ({ path, value: null, confidence: 0 }));
}
