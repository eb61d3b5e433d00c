/** Packs the checkout as `npm pack` does, without touching the checkout: in a copy, so that tests can run beside it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './checkout-manifest.ts';

export interface Packed {
  /** The path of the file. */
  readonly tarball: string;
  /** The paths in it, below `package/`. */
  readonly files: readonly string[];
  remove(): void;
}

const run = promisify(execFile);
const notCopied = ['node_modules', '.matrix', '.git', 'dist', 'data', 'coverage'];

/** Rejects with what npm printed when the build or the packing fails. */
export async function pack(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'citewire-pack-'));
  const copy = join(folder, 'checkout');
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !notCopied.some((name) => path === join(root, name)),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const remove = () => rmSync(folder, { recursive: true });
  try {
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copy });
    const name = readdirSync(folder).find((each) => each.endsWith('.tgz'));
    const tarball = join(folder, name!);
    const { stdout } = await run('tar', ['-tzf', tarball]);
    const files = stdout
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', ''));
    return { tarball, files, remove };
  } catch (error) {
    remove();
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`npm could not pack the checkout: ${stdout}${stderr}${message}`);
  }
}
