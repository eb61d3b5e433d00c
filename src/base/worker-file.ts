/** How the module of a worker is started: as it is from a build, through a loader from the TypeScript sources. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface WorkerFile {
  readonly url: URL;
  /** Arguments for Node. */
  readonly execArgv: readonly string[];
}

/** `worker` is `new URL('./name-worker.ts', import.meta.url)`, also in a build, where the file is called `.js`. */
export function resolveWorkerFile(worker: URL): WorkerFile {
  if (!import.meta.url.endsWith('.ts')) return { url: new URL(worker.href.replace(/\.ts$/, '.js')), execArgv: [] };
  // As a URL, because a bare name would be resolved from the working directory of the process.
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return { url: worker, execArgv: ['--import', loader] };
}
