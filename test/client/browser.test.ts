/** The client works without a bundler: it compiles with only a browser's types, and its files import nothing but each other. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as clientModule from '../../src/client/client.ts';
import { readImports } from '../support/read-imports.ts';
import { startTestApp } from '../support/start-app.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'citewire-client-'));
  const compilerOptions = {
    lib: ['es2023', 'dom'],
    types: [],
    noEmit: false,
    declaration: true,
    rootDir: root,
    outDir: folder,
  };
  const files = [join(root, 'src/client/client.ts')];
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error) => {
    throw new Error(error.stdout);
  });
});
afterAll(() => rm(folder, { recursive: true }));

describe('the compiled client', () => {
  it('compiles to files that import only each other', async () => {
    const root = join(folder, 'src/client');
    const files = await readdir(root, { recursive: true });
    const scripts = files.filter((name) => name.endsWith('.js')).map((name) => join(root, name));
    expect(scripts.length).toBeGreaterThan(10);
    for (const script of scripts) {
      const text = await readFile(script, 'utf8');
      const imported = readImports(text).map(([specifier]) => join(dirname(script), specifier));
      expect(imported.filter((name) => !scripts.includes(name))).toEqual([]);
    }
  });

  it('searches from a page without a bundler', async () => {
    const { createClient } = (await import(
      pathToFileURL(join(folder, 'src/client/client.js')).href
    )) as typeof clientModule;
    await using app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    const client = createClient({ baseUrl: app.url, apiKey: app.key });
    const { status } = await client.search({ prompt: 'Who designed the Heron Point Lighthouse?' }).result;
    expect(status).toBe('answered');
    client.close();
  });

  it('exports the client from the package as citewire/client, with its types', async () => {
    const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const given = exports['./client'];
    for (const file of [given.default, given.types]) {
      expect(await readFile(join(folder, file.replace('./dist/', '')), 'utf8')).toContain('createClient');
    }
  });
});
