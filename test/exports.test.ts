/**
 * What is exported is used: every exported value is imported by another file, of the tests too. Types may be exported
 * beside the function that takes or returns them, and a default export is loaded by a tool that is given the path.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readExportedValues, readImportedNames } from './support/read-imports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['protocol', 'src', 'bench', 'tools', 'test', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
);
const files = [...folders, 'vitest.config.ts'];
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Imported from outside: by users of the package, and by the bundles of the tests in the place of another file. */
const usedOutside = [
  'src/agents/search-tool.ts SearchToolInput',
  'test/support/processes/bundled-worker-file.ts resolveWorkerFile',
];

describe('exports', () => {
  it('finds every exported value imported by another file', () => {
    const imported = new Set(
      files.flatMap((file) =>
        readImportedNames(textOf(file)).map(([specifier, name]) => {
          return `${relative(root, resolve(root, dirname(file), specifier))} ${name}`;
        }),
      ),
    );
    expect(imported.size).toBeGreaterThan(1_000);
    const unused = files.flatMap((file) =>
      readExportedValues(textOf(file))
        .map((name) => `${file} ${name}`)
        .filter((each) => !imported.has(each) && !imported.has(`${file} *`)),
    );
    expect(unused).toEqual(usedOutside);
  });

  it('reads exported values, and imported names in every form', () => {
    const exported = [
      'export const a = 1;',
      'export async function b() {}',
      'export function* c() {}',
      'export abstract class D {}',
      'export default function e() {}',
      'export interface F {}',
      'export type G = 1;',
      '// export const h = 1;',
    ].join('\n');
    expect(readExportedValues(exported)).toEqual(['a', 'b', 'c', 'D']);
    const importing = [
      "import { a, type B, c as d } from './a.ts';",
      "import * as all from './b.ts';",
      "export { e } from './c.ts';",
      "const { f, g: h } = await import('./d.ts');",
      "import('./e.ts').then(({ i }) => i());",
      "const { j } = (await import('./f.ts')) as typeof import('./f.ts');",
      "import { zod } from 'zod';",
      "vi.mock('./g.ts');",
    ].join('\n');
    expect(readImportedNames(importing)).toEqual([
      ['./a.ts', 'a'],
      ['./a.ts', 'B'],
      ['./a.ts', 'c'],
      ['./b.ts', '*'],
      ['./c.ts', 'e'],
      ['./d.ts', '*'],
      ['./e.ts', '*'],
      ['./f.ts', '*'],
      ['./f.ts', '*'],
    ]);
  });
});
