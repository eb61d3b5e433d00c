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

/**
 * Rejects where no build loads on this Node and C library: the message is for the operator, the `cause` says what was tried, for
 * a closer look.
 */
export async function loadUws(): Promise<LoadedUws> {
  allowLargeHeaders();
  const failures: string[] = [];
  for (const build of builds) {
    try {
      const loaded = (await import(build)) as Uws & { default?: Uws };
      return { uws: loaded.default ?? loaded, build };
    } catch (error) {
      failures.push(`${build}: ${(error as Error).message.replace(/\s+/g, ' ')}`);
    }
  }
  throw new Error(explainMissingBuild(process, glibcVersion()), { cause: failures.join('; ') });
}

/** Which systems the two builds together are for, as their packages say; the C library of the newer one was tried. */
const fitting = {
  node: [20, 22, 24, 26],
  systems: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'],
  /** From this Node on only the newer build fits. */
  newerFrom: 24,
  /** 2.38, which the newer build needs. */
  glibcMinor: 38,
};

/** The sentence for the operator: what is missing here. `glibc` is the version, undefined on a system without it. */
export function explainMissingBuild(
  { platform, arch, version }: Pick<NodeJS.Process, 'platform' | 'arch' | 'version'>,
  glibc: string | undefined,
): string {
  const major = Number.parseInt(version.slice(1), 10);
  const system = `${platform}-${arch}`;
  const has = 'no build of the native server for';
  if (!fitting.systems.includes(system)) return `There is ${has} ${system}.`;
  if (!fitting.node.includes(major)) return `There is ${has} Node ${major}: use Node 22, 24 or 26.`;
  if (platform === 'linux' && glibc === undefined) return `There is ${has} Linux without glibc, such as Alpine.`;
  if (platform === 'linux' && major >= fitting.newerFrom && Number(glibc!.split('.')[1]) < fitting.glibcMinor)
    return `There is ${has} Node ${major} with glibc ${glibc}: it takes glibc 2.38 (Debian 13, Ubuntu 24.04) or Node 22.`;
  return 'The native server is not installed, or is damaged: run `npm ci`, or install the package again.';
}

function glibcVersion(): string | undefined {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}
