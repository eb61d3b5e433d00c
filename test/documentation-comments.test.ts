/** Every exported function outside src/ui has a doc comment: what it takes and returns, its units, its errors. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const files = ['protocol', 'src', 'bench', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.startsWith('src/ui/')),
);

/** Files that still lack some: a list that only shrinks. */
const stillLacking: readonly string[] = [
  'src/access/limiter/memory.ts',
  'src/access/redis-access.ts',
  'src/access/revocations-redis.ts',
  'src/access/revocations.ts',
  'src/access/shared-networks.ts',
  'src/access/tickets.ts',
  'src/access/usage.ts',
  'src/base/learned/mlp.ts',
  'src/base/log.ts',
  'src/base/metrics.ts',
  'src/base/worker-pool.ts',
  'src/corpus/index/split-passages.ts',
  'src/corpus/index/write-index.ts',
  'src/corpus/ingest/list-files.ts',
  'src/corpus/page-cache/page-cache.ts',
  'src/corpus/page-cache/read-page-cache.ts',
  'src/corpus/page-cache/snapshot-keeper.ts',
  'src/corpus/page-cache/write-page-cache.ts',
  'src/corpus/search/read-index.ts',
  'src/corpus/search/rerank.ts',
  'src/designs/api-document.ts',
  'src/designs/fill-prompt.ts',
  'src/designs/freeze.ts',
  'src/store/access-records.ts',
  'src/store/account-rows.ts',
  'src/store/design-records.ts',
  'src/store/migrate.ts',
  'src/store/network-records.ts',
  'src/store/run-records.ts',
  'src/store/session-records.ts',
  'src/store/sqlite-worker.ts',
  'src/store/usage-records.ts',
  'src/web/best-effort-cache.ts',
  'src/web/extract/charset.ts',
  'src/web/extract/classify/class-lexicon.ts',
  'src/web/extract/classify/classify-blocks.ts',
  'src/web/extract/classify/element-facts.ts',
  'src/web/extract/classify/expected-f1.ts',
  'src/web/extract/classify/page-facts.ts',
  'src/web/extract/classify/text-facts.ts',
  'src/web/extract/clean-text.ts',
  'src/web/extract/extract-pdf.ts',
  'src/web/extract/extract-plain.ts',
  'src/web/extract/html/blocks.ts',
  'src/web/extract/html/markdown.ts',
  'src/web/extract/html/prune-hidden.ts',
  'src/web/extract/html/separate-words.ts',
  'src/web/extract/json-ld.ts',
  'src/web/extract/metadata.ts',
  'src/web/fetch/body.ts',
  'src/web/fetch/fetch.ts',
  'src/web/fetch/guard.ts',
  'src/web/page-cache.ts',
  'src/web/providers/brave.ts',
  'src/web/providers/custom.ts',
  'src/web/providers/provider.ts',
  'src/web/providers/searxng.ts',
  'src/web/providers/tavily.ts',
  'src/web/reader.ts',
  'src/web/single-flight.ts',
  'tools/training/bins.ts',
  'tools/training/documentation-questions.ts',
  'tools/training/evidence.ts',
  'tools/training/learn-lexicon.ts',
  'tools/training/learn-term-likelihood.ts',
  'tools/training/logit.ts',
  'tools/training/rank-trees.ts',
  'tools/training/train-model.ts',
  'tools/training/trial.ts',
];

describe('exported functions', () => {
  it('finds exported functions in every form, with and without a doc comment', () => {
    const text = [
      'export function a(): void {}',
      '/** Says b. */',
      'export function b(): void {}',
      'export default async function c() {}',
      'export async function* d() {}',
      '/** Says e. */',
      'export const e = (x: number): number => x;',
      'export const f: Handler = async (x) => x;',
      'export const g = (',
      '  x: number,',
      ') => x;',
      'export const h = x => x;',
      'export const notAFunction = 5;',
      'function notExported() {}',
      '// Not a doc comment.',
      'export function i() {}',
      '/**',
      ' * Says j.',
      ' */',
      'export function j() {}',
    ].join('\n');
    expect(undocumented(text)).toEqual({ count: 10, lacking: ['a', 'c', 'd', 'f', 'g', 'h', 'i'] });
  });

  it('finds a doc comment on every exported function', () => {
    const found = files.map((file) => ({ file, ...undocumented(readFileSync(join(root, file), 'utf8')) }));
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(400);
    const wrong = found.filter(({ file }) => !stillLacking.includes(file));
    expect(wrong.flatMap(({ file, lacking }) => lacking.map((name) => `${file}: ${name}`))).toEqual([]);
  });
});

/** Names of the exported functions of a text that have no doc comment directly above; `count` is of all of them. */
function undocumented(text: string): { count: number; lacking: string[] } {
  const lines = text.split('\n');
  const found = lines.flatMap((line, at) => {
    const name =
      /^export (?:default )?(?:async )?function\*? ?(\w*)/.exec(line)?.[1] ??
      /^export const (\w+)(?::[^=]+)? = (?:async )?(?:\([^)]*$|\(.*\)(?:: .*)? =>|\w+ =>)/.exec(line)?.[1];
    return name === undefined ? [] : [{ name: name || 'default', isDocumented: endsComment(lines, at) }];
  });
  return { count: found.length, lacking: found.filter((each) => !each.isDocumented).map(({ name }) => name) };
}

/** Whether the line above `at` ends a doc comment; lines for the linter may stand between. */
function endsComment(lines: readonly string[], at: number): boolean {
  let above = at - 1;
  while (/^\/\/ biome-ignore /.test(lines[above] ?? '')) above -= 1;
  if (!/\*\/\s*$/.test(lines[above] ?? '')) return false;
  while (above >= 0 && !lines[above]!.includes('/*')) above -= 1;
  // A header that a blank line does not separate from the function is its comment as well.
  return lines[above]?.trimStart().startsWith('/**') ?? false;
}
