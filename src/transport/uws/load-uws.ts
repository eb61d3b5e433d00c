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
      failures.push(`${build}: ${(error as Error).message.split(/\n| supports only /)[0]?.replace(/\.+$/, '')}`);
    }
  }
  throw new Error(noneFits(process, glibcVersion(), failures));
}

/**
 * The sentence for the operator: what this system is, and where a build loads. `glibc` is undefined on a system without it;
 * `failures` says for each build why it does not load.
 */
export function noneFits(
  { platform, arch, version }: Pick<NodeJS.Process, 'platform' | 'arch' | 'version'>,
  glibc: string | undefined,
  failures: readonly string[],
): string {
  const library = glibc === undefined ? '' : ` with glibc ${glibc}`;
  return (
    `No build of uWebSockets.js fits Node ${version} on ${platform}-${arch}${library}: use Node 20 or 22, or Node 24 or 26 with glibc ` +
    `2.38 or newer (Debian 13, Ubuntu 24.04), on Linux, macOS or Windows. Tried ${failures.join('; ')}.`
  );
}

function glibcVersion(): string | undefined {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}
