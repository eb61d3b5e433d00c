/** Whether a caller may find every page of the index: it is then searched without looking at who owns what. */
import { documentation, everybody } from '../../base/source-names.ts';
import type { PagesReach } from '../../engine/ports/corpus.ts';
import type { Prepare } from '../sqlite/prepare.ts';

/**
 * A function that says whether every page is within reach: it looks at the index once for each owner within reach, and once
 * for the first that is not.
 */
export function createFullAccessCheck(prepare: Prepare): (reach: PagesReach) => boolean {
  return ({ owner = everybody, sources }) => {
    if (sources !== undefined) return false;
    const owners = new Set<string>();
    for (let last = ''; ; ) {
      const next = prepare('SELECT min(owner) FROM pages WHERE owner > ?').pluck().get(last) as string | null;
      if (next === null) return !(owners.has(documentation) && owners.has(owner));
      if (next !== owner && next !== documentation) return false;
      owners.add(next);
      last = next;
    }
  };
}
