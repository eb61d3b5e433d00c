/** The groups of synonyms.txt by stem: "founded" and "established", "cost" and "price". */
import { readFileSync } from 'node:fs';
import { stemOf } from '../text/words.ts';

/** For each stem, the stems it is linked with; the link of a group's first word with each of the others goes both ways. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = readGroups(
  readFileSync(new URL('./synonyms.txt', import.meta.url), 'utf8'),
);

/** Lines that begin with "#" are comments. */
function readGroups(text: string): Map<string, Set<string>> {
  const linked = new Map<string, Set<string>>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const [head = '', ...others] = line.split(' ').map(stemOf);
    for (const other of others) {
      if (other === head) continue;
      link(linked, head, other);
      link(linked, other, head);
    }
  }
  return linked;
}

function link(linked: Map<string, Set<string>>, from: string, to: string): void {
  const known = linked.get(from);
  if (known === undefined) linked.set(from, new Set([to]));
  else known.add(to);
}
