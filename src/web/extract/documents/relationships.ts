/** The relationships of a part of an Office file (ECMA-376-2, 6): which other parts it refers to. */
import { posix } from 'node:path';
import { pathInArchive } from './archive-path.ts';
import { localName, readXml } from './read-xml.ts';
import type { ZipArchive } from './zip.ts';

export interface Relationship {
  /** The last part of its type, such as `slide`: the same in transitional and in strict files. */
  readonly type: string;
  /** A name to look up in the archive; there may be no such file. */
  readonly target: string;
}

/** Set by hand: a presentation has one for each slide. */
const maxRelationships = 10_000;

/** The relationships of a part within the archive, by their ids; none if it has none. Throws for a damaged archive. */
export function readRelationships(archive: ZipArchive, part: string): ReadonlyMap<string, Relationship> {
  const found = new Map<string, Relationship>();
  readXml(archive.read(posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)), {
    open(name, { Id: id, Type: type = '', Target: target, TargetMode: mode }) {
      if (localName(name) !== 'Relationship' || id === undefined || target === undefined || mode === 'External') return;
      if (found.size < maxRelationships)
        found.set(id, { type: posix.basename(type), target: pathInArchive(part, target) });
    },
    isDone: () => found.size >= maxRelationships,
  });
  return found;
}

/** The id of the relationship that an element refers to, by whichever prefix the file has for relationships. */
export function relationshipId(attributes: Readonly<Record<string, string>>): string {
  const name = Object.keys(attributes).find((each) => each.endsWith(':id'));
  return name === undefined ? '' : attributes[name]!;
}
