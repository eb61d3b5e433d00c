/**
 * Loads the native server, of which there are two builds: one for the newest Node with a recent glibc, one for Node 20 and
 * 22 with any glibc. The newer one is preferred.
 */
import { allowLargeHeaders } from '../../base/config.ts';

export type Uws = typeof import('uWebSockets.js');

export interface LoadedUws {
  readonly uws: Uws;
  /** The name of its package, for the log. */
  readonly build: string;
}

const builds = ['uWebSockets.js-next', 'uWebSockets.js'] as const;

/** Rejects, with a message for the operator, when no build loads on this Node and C library. */
export async function loadUws(): Promise<LoadedUws> {
  allowLargeHeaders();
  const failures: string[] = [];
  for (const build of builds) {
    try {
      const loaded = (await import(build)) as Uws & { default?: Uws };
      return { uws: loaded.default ?? loaded, build };
    } catch (error) {
      failures.push(`${build}: ${(error as Error).message.split('\n')[0]?.replace(/\.+$/, '')}`);
    }
  }
  const { platform, arch, version } = process;
  const fitting = 'Node 20 or 22 on any glibc does, or a newer Node on glibc 2.38';
  throw new Error(
    `No build of uWebSockets.js fits Node ${version} on ${platform}-${arch}; ${fitting}. Tried ${failures.join('; ')}.`,
  );
}
