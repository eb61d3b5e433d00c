/** The bill of materials is of what is shipped. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('names what is installed and what is bundled, and nothing that only a checkout needs', () => {
  const args = ['--import', 'tsx', fileURLToPath(new URL('../../tools/package/sbom.ts', import.meta.url))];
  const { bomFormat, components, dependencies } = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8' }),
  );
  expect(bomFormat).toBe('CycloneDX');
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['zod', 'ws', 'kysely', 'preact', 'better-sqlite3', 'better-sqlite3-next']),
  );
  for (const name of ['vitest', 'esbuild', 'tsx', 'typescript']) expect(names).not.toContain(name);
  const refs = new Set(dependencies.map(({ ref }: { ref: string }) => ref));
  expect(components.filter((each: { 'bom-ref': string }) => !refs.has(each['bom-ref']))).toEqual([]);
});
