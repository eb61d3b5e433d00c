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
    expect(found.flatMap(({ file, lacking }) => lacking.map((name) => `${file}: ${name}`))).toEqual([]);
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
