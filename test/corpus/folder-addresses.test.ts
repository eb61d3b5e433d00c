/** The URLs of indexed files: below the folder's public address, the same for ever, and never a path of this machine. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { snapshotId } from '../../src/base/snapshot-id.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Sqlite = loadSqlite();

let folder: string;
let corpus: OpenCorpus;

beforeEach(async () => {
  folder = temporaryFolder();
  corpus = await openCorpus({ file: join(folder, 'data', 'index.db') });
});

afterEach(() => corpus.close());

/** Writes pages that all say `walrus`. */
function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), `# Page ${path}\n\nThe walrus of ${path} swims.\n`);
  }
}

const index = (path: string, baseUrl?: string) =>
  corpus.index({ kind: 'folder', path: join(folder, path) }, baseUrl === undefined ? {} : { baseUrl });

const found = () => corpus.search({ text: 'walrus', limit: 50, rules: everySource }, neverAborted);
const urls = async () => (await found()).map(({ url }) => url).sort();

describe('a file of an indexed folder', () => {
  it('is cited below the name of its folder, and opens by its snapshot', async () => {
    write('docs/a.md', 'docs/guide/The Walrus? 50%.md', 'docs/guide/Ünder#.md');
    await index('docs');
    expect(await urls()).toEqual([
      'file:///docs/a.md',
      'file:///docs/guide/%C3%9Cnder%23.md',
      'file:///docs/guide/The%20Walrus%3F%2050%25.md',
    ]);
    for (const { url, snapshot } of await found()) {
      const page = (await corpus.snapshot(snapshot, neverAborted))!;
      expect(page).toMatchObject({ url, id: snapshotId(url, page.text) });
    }
    expect(readFileSync(join(folder, 'data', 'index.db')).includes(pathToFileURL(folder).href)).toBe(false);
  });

  it('has another URL than the same file of another folder with that name, whichever is indexed again', async () => {
    write('one/docs/a.md', 'two/docs/a.md', 'three/docs/a.md');
    for (const path of ['one/docs', 'two/docs', 'three/docs']) await index(path);
    const all = ['file:///docs-2/a.md', 'file:///docs-3/a.md', 'file:///docs/a.md'];
    expect(await urls()).toEqual(all);
    for (const path of ['three/docs', 'one/docs', 'two/docs']) {
      expect(await index(path)).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
    }
    expect(await urls()).toEqual(all);
    await corpus.forget(`folder:${join(folder, 'one/docs')}`);
    await index('two/docs');
    expect(await urls()).toEqual(all.slice(0, 2));
  });

  it('is cited below the base URL of its folder, which is kept until another is given', async () => {
    write('docs/a.md', 'docs/guide/b.md');
    await index('docs');
    expect(await index('docs', 'https://docs.example/v1/')).toMatchObject({ added: 0, updated: 2, removed: 0 });
    const below = (base: string) => [`${base}a.md`, `${base}guide/b.md`];
    expect(await urls()).toEqual(below('https://docs.example/v1/'));
    expect(await index('docs')).toMatchObject({ unchanged: 2 });
    await index('docs', 'https://docs.example/v2/');
    expect(await urls()).toEqual(below('https://docs.example/v2/'));
    expect(await corpus.sources()).toEqual([
      { source: `folder:${join(folder, 'docs')}`, pages: 2, address: 'https://docs.example/v2/' },
    ]);
    write('other/a.md');
    await expect(index('other', 'https://docs.example/v2/')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(`folder:${join(folder, 'docs')}`),
    });
    await corpus.forget(`folder:${join(folder, 'docs')}`);
    expect(await index('other', 'https://docs.example/v2/')).toMatchObject({ added: 1 });
  });

  it('is cited below the name of its folder when it is indexed alone', async () => {
    write('docs/a.md');
    await index('docs/a.md');
    expect(await urls()).toEqual(['file:///docs/a.md']);
    await index('docs/a.md', 'https://docs.example/');
    expect(await urls()).toEqual(['https://docs.example/a.md']);
  });
});

describe('a link in an indexed folder', () => {
  it('is followed within the folder, and reported and not followed out of it', async () => {
    write('docs/a.md', 'docs/guide/b.md', 'secret/key.md', 'docs-old/c.md');
    symlinkSync('guide', join(folder, 'docs/again'));
    symlinkSync('../docs', join(folder, 'docs/loop'));
    symlinkSync('../secret', join(folder, 'docs/out'));
    symlinkSync('../docs-old', join(folder, 'docs/neighbour'));
    symlinkSync('../secret/key.md', join(folder, 'docs/key.md'));
    symlinkSync('/etc', join(folder, 'docs/etc'));
    symlinkSync('docs', join(folder, 'linked'));
    for (const path of ['docs', 'linked']) {
      const { failed } = await index(path);
      expect(failed.map(({ source, reason }) => [source.slice(join(folder, path).length + 1), reason])).toEqual(
        ['etc', 'key.md', 'neighbour', 'out'].map((name) => [name, 'it is a link that leads out of the folder']),
      );
      const name = `file:///${path}/`;
      expect((await urls()).filter((url) => url.startsWith(name))).toEqual([`${name}a.md`, `${name}again/b.md`]);
      await corpus.forget(`folder:${join(folder, path)}`);
    }
    // What such a link once brought into the index leaves it.
    rmSync(join(folder, 'docs/key.md'));
    write('docs/key.md');
    await index('docs');
    expect(await urls()).toContain('file:///docs/key.md');
    rmSync(join(folder, 'docs/key.md'));
    symlinkSync('../secret/key.md', join(folder, 'docs/key.md'));
    expect(await index('docs')).toMatchObject({ removed: 1 });
    expect(await urls()).not.toContain('file:///docs/key.md');
  });
});

describe('a file whose name is not UTF-8', () => {
  it('is reported as such, and the others are indexed', async () => {
    write('docs/a.md');
    writeFileSync(
      Buffer.concat([Buffer.from(`${join(folder, 'docs')}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]),
      '# B',
    );
    const { added, failed } = await index('docs');
    expect([added, failed.map(({ reason }) => reason)]).toEqual([1, ['its name is not UTF-8']]);
  });
});

describe('an index from before folders had addresses', () => {
  /** Turns the index back into what it was then: the same rows, with the paths of this machine. */
  function undo(path: string): void {
    const database = new Sqlite(join(folder, 'data', 'index.db'));
    database.function('old', (url) => String(url).replace(/^file:\/\/\/[^/]+/, pathToFileURL(join(folder, path)).href));
    database.exec('UPDATE pages SET url = old(url), path = substr(old(url), 8); UPDATE snapshots SET url = old(url)');
    database.exec(
      'DROP TABLE addresses; DROP TABLE sources; DROP TABLE uploads; DROP TABLE taken; DROP TABLE passage_vectors; DROP TABLE passage_signs; DROP TABLE vector_space; PRAGMA user_version = 3',
    );
    database.close();
  }

  it('gets them when it is opened: the ids of snapshots, source rules and incremental indexing go on', async () => {
    write('docs/a.md', 'docs/guide/b.md');
    await index('docs');
    await corpus.close();
    undo('docs');
    corpus = await openCorpus({ file: join(folder, 'data', 'index.db') });
    expect(await urls()).toEqual(['file:///docs/a.md', 'file:///docs/guide/b.md']);
    const only = [{ host: '', path: '/docs/guide' }];
    const [inGuide] = await corpus.search({ text: 'walrus', limit: 5, rules: { only, never: [] } }, neverAborted);
    const { snapshot, url } = inGuide!;
    expect(await corpus.snapshot(snapshot, neverAborted)).toMatchObject({ id: snapshot, url });
    expect(await corpus.sources()).toEqual([
      { source: `folder:${join(folder, 'docs')}`, pages: 2, address: 'file:///docs/' },
    ]);
    expect(await index('docs')).toMatchObject({ added: 0, removed: 0, failed: [] });
    expect(await urls()).toEqual(['file:///docs/a.md', 'file:///docs/guide/b.md']);
  });
});
