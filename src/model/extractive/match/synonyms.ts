/**
 * The groups of synonyms.txt by stem: "founded" and "established", "cost" and "price". The second part of the file, of everyday
 * documents, links words more freely: enough to look for an answer, too much to tell what a value is of ("rating" and "price").
 */
import { readFileSync } from 'node:fs';
import { stemOf } from '../text/words.ts';

type Links = ReadonlyMap<string, ReadonlySet<string>>;

/** How the comment begins that heads the second part. */
const secondPart = '\n# What people ask of everyday documents';
const text = readFileSync(new URL('./synonyms.txt', import.meta.url), 'utf8').replaceAll('\r\n', '\n');

/** For each stem, the stems it is linked with; the link of a group's first word with each of the others goes both ways. */
export const synonyms: Links = readGroups(text);

/** The same without the second part. */
export const closeSynonyms: Links = readGroups(text.slice(0, text.indexOf(secondPart)));

/** The links of groups of words, one a line, the head first. Lines that begin with "#" are comments. */
export function readGroups(text: string): Map<string, Set<string>> {
  const linked = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
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
