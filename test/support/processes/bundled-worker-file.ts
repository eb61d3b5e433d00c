/**
 * Stands in for src/base/worker-file.ts in a test run (vitest.config.ts says so): workers start from the bundle that was
 * made for the run, as they do in a server, because loading their TypeScript costs each of them a second of CPU time.
 */
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolveWorkerFile as resolveSource, type WorkerFile } from '../../../src/base/worker-file.ts';
import { bundleVariable } from './run-script.ts';

/** The bundled worker; its source where there is no bundle. */
export function resolveWorkerFile(worker: URL): WorkerFile {
  const bundle = process.env[bundleVariable];
  if (bundle === undefined) return resolveSource(worker);
  const name = basename(worker.pathname).replace(/\.ts$/, '.js');
  return { url: pathToFileURL(join(bundle, name)), execArgv: [] };
}
