/**
 * rs-trafilatura, the extractor with the best published scores on the Web Content Extraction Benchmark, as packaged by the
 * npm package contextractor: native code for common systems. It is not a dependency: npm fetches the pinned tarball, or has
 * it in its cache, and its code is loaded only if the tarball's hash matches the one below.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Binding {
  extract(html: string, options: { url: string; format: 'txt'; config: typeof config }): { content?: string } | null;
}

const version = '0.4.14';
const sha512 = '1z1lEYp5aWUVa+JFWq0PbRaqy1fmGmMFnjriEkwJNNxaG9g0oLZoBLmUuSvwDx54yjpGVvA4lEex4GdWJs9JvQ==';
const run = promisify(execFile);

/** Of its modes and settings, those with its best scores. */
const config = {
  fast: false,
  favorPrecision: false,
  favorRecall: false,
  includeComments: true,
  includeTables: true,
  includeImages: false,
  includeFormatting: true,
  includeLinks: true,
  deduplicate: false,
  withMetadata: true,
  onlyWithMetadata: false,
  teiValidation: false,
};

/** The main text of a page, '' where it finds none. Rejects where the package cannot be fetched or has no code for this system. */
export async function loadRsTrafilatura(): Promise<(html: string, url: string) => string> {
  const binding = await load().catch((error: Error) => {
    throw new Error(
      `Expected contextractor ${version} from npm for this system (${process.platform}): ${error.message}`,
    );
  });
  return (html, url) => binding.extract(html, { url, format: 'txt', config })?.content ?? '';
}

async function load(): Promise<Binding> {
  const folder = await mkdtemp(join(tmpdir(), 'citewire-rs-trafilatura-'));
  try {
    await run('npm', ['pack', '--loglevel=error', '--prefer-offline', `contextractor@${version}`], { cwd: folder });
    const tarball = join(folder, `contextractor-${version}.tgz`);
    const found = createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64');
    if (found !== sha512) throw new Error(`expected a tarball of sha512 ${sha512}, got ${found}.`);
    await run('tar', ['-xzf', tarball, '-C', folder]);
    return createRequire(import.meta.url)(join(folder, 'package/dist/native/index.cjs')) as Binding;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
