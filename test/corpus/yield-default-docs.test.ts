import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';

const folder = mkdtempSync(join(tmpdir(), 'citewire-default-docs-'));
const signal = new AbortController().signal;
const docs = join(folder, 'docs');
const packages = join(folder, 'node_modules');
const open: OpenCorpus[] = [];

mkdirSync(docs);
writeFileSync(join(docs, 'handbook.md'), '# Handbook\n\nStaff get 27 days of paid leave. Flights need an approval.\n');
writeFileSync(join(docs, 'people.md'), '# People\n\nMarek looks after the network and the days of paid overtime.\n');
writePackages(packages, 250);

function writePackages(where: string, count: number): void {
  for (let n = 0; n < count; n++) {
    mkdirSync(join(where, `package-${n}`), { recursive: true });
    writeFileSync(join(where, `package-${n}`, 'package.json'), `{"name": "package-${n}", "version": "1.0.0"}`);
    writeFileSync(
      join(where, `package-${n}`, 'README.md'),
      `# Package ${n}\n\nHow many days a paid retry waits: ${n}.\n`,
    );
  }
}

const own = { kind: 'folder', path: docs } as const;
const first = { kind: 'packages', path: packages } as const;
const openIndex = async (name: string) => {
  const corpus = await openCorpus({ file: join(folder, name, 'index.db') });
  open.push(corpus);
  return corpus;
};
const sourcesOf = async (corpus: OpenCorpus) => (await corpus.sources()).map(({ source }) => source);
const find = (corpus: OpenCorpus) =>
  corpus.search({ text: 'How many days of paid leave do I get?', limit: 10, rules: everySource }, signal);

afterEach(async () => {
  for (const corpus of open.splice(0)) await corpus.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the documentation of the installed packages', () => {
  it('leaves when another source arrives, and what is found is scored as if it had never been there', async () => {
    const corpus = await openIndex('both');
    const beside = await openIndex('both');
    await corpus.index(first);
    expect((await find(beside)).some(({ title }) => title.startsWith('package-'))).toBe(true);
    expect(await corpus.index(own)).toMatchObject({ added: 2, replaced: 250, gaveWay: false });
    expect(await sourcesOf(corpus)).toEqual([`folder:${docs}`]);
    const fresh = await openIndex('fresh');
    await fresh.index(own);
    const expected = await find(fresh);
    expect(expected.map(({ title }) => title)).toEqual(['Handbook', 'People']);
    expect(await find(corpus)).toEqual(expected);
    expect(await find(beside)).toEqual(expected);
  });

  it('stays out, and leaves, where there is another source', async () => {
    const corpus = await openIndex('other');
    await corpus.index(own);
    expect(await corpus.index(first)).toMatchObject({ added: 0, removed: 0, gaveWay: true });
    expect(await sourcesOf(corpus)).toEqual([`folder:${docs}`]);
  });

  it('stops indexing when another process brings a source', async () => {
    // So many that the other process is done long before.
    const many = join(folder, 'many', 'node_modules');
    writePackages(many, 2_000);
    const server = await openIndex('server');
    const command = await openIndex('server');
    let arrived: Promise<unknown> | undefined;
    const progress = await server.index(
      { kind: 'packages', path: many },
      {
        onProgress: ({ added }) => {
          if (added > 0) arrived ??= command.index(own);
        },
      },
    );
    await arrived;
    expect(progress).toMatchObject({ gaveWay: true });
    expect(await sourcesOf(command)).toEqual([`folder:${docs}`]);
    expect(await server.stats()).toMatchObject({ pages: 2 });
  });

  it('stays when a source has no pages', async () => {
    const corpus = await openIndex('empty');
    await corpus.index(first);
    const empty = join(folder, 'empty-docs');
    mkdirSync(empty);
    expect(await corpus.index({ kind: 'folder', path: empty })).toMatchObject({ added: 0, replaced: 0 });
    await expect(corpus.index({ kind: 'folder', path: join(folder, 'absent') })).rejects.toThrow('does not exist');
    expect(await sourcesOf(corpus)).toEqual([`packages:${packages}`]);
  });

  it('stays beside other sources when it was asked for', async () => {
    const corpus = await openIndex('asked');
    await corpus.index(own);
    expect(await corpus.index({ kind: 'installed', path: packages })).toMatchObject({ added: 250, replaced: 0 });
    await corpus.index(first);
    expect(await corpus.index(own)).toMatchObject({ unchanged: 2, replaced: 0 });
    expect(await sourcesOf(corpus)).toEqual([`folder:${docs}`, `installed:${packages}`]);
  });
});
