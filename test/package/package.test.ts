/** The package as it is published: packed, installed in an empty folder without install scripts, and used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { Redis } from 'ioredis';
import pg from 'pg';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Packed, pack } from '../../tools/package/pack.ts';
import { askInTerminal, type Installed, install, searchOnServer } from '../../tools/package/try-install.ts';
import { hasPostgres, openPostgresServer } from '../support/servers/postgres.ts';
import { hasRedis, startRedis } from '../support/servers/redis.ts';

/** Building, packing and downloading, on a machine that does other things too. */
const timeout = 600_000;
/** As the documentation promises. */
const maxMegabytes = 60;

let packed: Packed;
let installed: Installed;
beforeAll(async () => {
  packed = await pack();
  installed = await install(packed.tarball, process.execPath);
}, timeout);
afterAll(() => {
  installed?.remove();
  packed?.remove();
});

describe('the published package', () => {
  const read = (path: string) => readFileSync(join(installed.folder, 'node_modules', path), 'utf8');

  it('serves a search and stops', { timeout }, async () => {
    const { status, citations } = await searchOnServer(installed);
    expect(status).toBe('answered');
    expect(citations.length).toBeGreaterThan(0);
  });

  it.skipIf(!hasPostgres || !hasRedis)(
    'keeps what it is asked in Postgres, and counts in Redis',
    { timeout },
    async () => {
      const [postgres, redis] = await Promise.all([openPostgresServer(), startRedis()]);
      try {
        const settings = { DATABASE_URL: await postgres.fresh(), REDIS_URL: redis.url };
        const { status } = await searchOnServer(installed, settings);
        expect(status).toBe('answered');
        const client = new pg.Client({ connectionString: settings.DATABASE_URL });
        await client.connect();
        const { rows } = await client.query('select count(*)::int as searches from runs');
        await client.end();
        expect(rows[0].searches).toBeGreaterThan(0);
        const counts = new Redis(redis.url);
        const keys = await counts.keys('*');
        counts.disconnect();
        expect(keys.length).toBeGreaterThan(0);
      } finally {
        await Promise.all([postgres.stop(), redis.stop()]);
      }
    },
  );

  it('answers in a terminal, without a server', { timeout }, async () => {
    expect(await askInTerminal(installed)).toMatch(/\[\d+\]/);
  });

  it(`takes at most ${maxMegabytes} MB with everything it depends on`, () => {
    expect(installed.bytes / 2 ** 20).toBeLessThan(maxMegabytes);
  });

  it('has no bundler, no loader of TypeScript and no sources', () => {
    const { packages } = JSON.parse(readFileSync(join(installed.folder, 'package-lock.json'), 'utf8'));
    const names = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
    expect(names).toContain('citewire');
    expect(names.filter((name) => /^(?:esbuild|@esbuild\/.*|tsx|typescript|preact|vitest)$/.test(name))).toEqual([]);
    expect(packed.files.filter((path) => /(?<!\.d)\.tsx?$/.test(path))).toEqual([]);
  });

  it('has a manifest of what an installation needs only', () => {
    const manifest = JSON.parse(read('citewire/package.json'));
    for (const field of ['scripts', 'devDependencies', 'overrides']) expect(manifest).not.toHaveProperty(field);
    expect(Object.keys(manifest.optionalDependencies).sort()).toEqual(['sqlite-vec', 'uWebSockets.js-next']);
    expect(manifest.peerDependencies).toEqual({ 'better-sqlite3': expect.stringMatching(/^\^12\./) });
    expect(manifest.peerDependenciesMeta).toEqual({ 'better-sqlite3': { optional: true } });
  });

  it('has the SQLite of newer releases of Node for each platform', () => {
    const binaries = packed.files.filter((path) => /better-sqlite3-next\/prebuilds\/[\w-]+\.node$/.test(path));
    expect(binaries.map((path) => path.split('/').at(-1))).toEqual(
      expect.arrayContaining(['linux-x64.node', 'linux-arm64.node', 'darwin-arm64.node', 'win32-x64.node']),
    );
    expect(packed.files.some((path) => path.endsWith('better-sqlite3-next/LICENSE'))).toBe(true);
  });

  it('has types that TypeScript finds in each way of resolving modules', { timeout }, async () => {
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(packed.tarball)));
    if (!checked.types) throw new Error('expected types');
    // A program in CommonJS imports the client, which is an ES module, with import().
    const ofCommonJs = ['CJSResolvesToESM', 'NoResolution'];
    expect(checked.problems.filter(({ kind }) => !ofCommonJs.includes(kind))).toEqual([]);
    expect(Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(['./client', './ai']));
  });

  it('has nothing that publint objects to', { timeout }, async () => {
    const tarball = readFileSync(packed.tarball);
    const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer as ArrayBuffer } });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});
