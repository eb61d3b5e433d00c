/** The packages installed with this one: finds them, and indexes their documentation, the first corpus of a new server. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../base/log.ts';
import { documentation, everybody, ownerOfSource } from '../base/source-names.ts';
import type { OpenCorpus } from '../corpus/corpus.ts';

/** Path of the nearest `node_modules` above this file that contains a dependency; undefined in an unusual layout. */
export function installedPackages(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules');
    if (existsSync(join(candidate, 'zod', 'package.json'))) return candidate;
  }
  return undefined;
}

/**
 * Indexes the documentation of the installed packages, and our own, if the index has no other source, else removes it. Never
 * rejects, as the server works without this documentation.
 */
export async function indexPackages(corpus: OpenCorpus, log: Log, signal: AbortSignal): Promise<void> {
  const path = installedPackages();
  if (path === undefined) return;
  let lastLogged = Date.now();
  /** Whether the log says that it is going on: it then says how that ended, too. */
  let isReported = false;
  const notNeeded = () =>
    log[isReported ? 'info' : 'debug'](
      {},
      'the index has other sources: not indexing the documentation of Citewire and the installed packages',
    );
  try {
    const sources = (await corpus.sources()).filter(({ source }) =>
      [everybody, documentation].includes(ownerOfSource(source)),
    );
    // Listing the pages of all packages takes a while; here it would be for nothing.
    if (sources.length > 0 && !sources.some(({ source }) => ownerOfSource(source) === documentation))
      return notNeeded();
    const { added, updated, removed, gaveWay } = await corpus.index(
      { kind: 'packages', path },
      {
        signal,
        fills: sources.length === 0,
        onProgress({ done, total }) {
          if (Date.now() - lastLogged < 1_000) return;
          lastLogged = Date.now();
          isReported = true;
          log.info({ done, total }, 'indexing the documentation of Citewire and the installed packages');
        },
      },
    );
    if (gaveWay && removed > 0) {
      log.info(
        { removed },
        'the documentation of Citewire and the installed packages was removed from the index, which has other sources',
      );
    } else if (gaveWay) {
      notNeeded();
    } else if (isReported || added + updated + removed > 0) {
      log.info({ ...(await corpus.stats()) }, 'indexed the documentation of Citewire and the installed packages');
    }
  } catch (error) {
    if (!signal.aborted)
      log.warn({ err: error }, 'could not index the documentation of Citewire and the installed packages');
    else if (isReported)
      log.info({}, 'stopped indexing the documentation of Citewire and the installed packages: the next start goes on');
  }
}
