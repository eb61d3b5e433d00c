/** The licences of what is shipped. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundleServer } from '../../tools/bundle.ts';
import { noticesOf } from '../../tools/package/notices.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('NOTICES.md', () => {
  it('has the licence of each package in the bundle, in its present version', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'citewire-notices-'));
    try {
      const notices = noticesOf(root, await bundleServer(folder, { published: true }));
      const titles = [...notices.matchAll(/^## (\S+) /gm)].map(([, name]) => name);
      const expected = ['kysely', 'preact', 'pino', 'zod', '@modelcontextprotocol/server', 'better-sqlite3', 'WordNet'];
      expect(titles).toEqual(expect.arrayContaining(expected));
      // After a change of a dependency: npm run build, and commit the file.
      expect(readFileSync(join(root, 'NOTICES.md'), 'utf8')).toBe(notices);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is part of the package, with the licence of its own', () => {
    const { files, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(files).toContain('NOTICES.md');
    expect(license).toBe('Apache-2.0');
    expect(readFileSync(join(root, 'LICENSE'), 'utf8')).toContain('Apache License');
  });

  it('is refused when a package has no licence', () => {
    expect(() => noticesOf(root, ['node_modules/.cache/x.js'])).toThrow();
  });
});
