/** What every corpus must keep of its sources, and whose pages a search may find in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everySource, parseSourceRule } from '../../../protocol/source-rules.ts';
import { snapshotId } from '../../../src/base/snapshot-id.ts';
import { everybody, newUploadKey } from '../../../src/base/source-names.ts';
import type { OpenCorpus } from '../../../src/corpus/corpus.ts';
import { sourceName } from '../../../src/corpus/ingest/index-source.ts';

const mine = 'acc_mine';
const theirs = 'acc_theirs';
const signal = new AbortController().signal;
const extract = async (bytes: Uint8Array) => ({ title: '', text: new TextDecoder().decode(bytes) });

/** `open` opens a new, empty corpus. */
export function sourceLaws(name: string, open: () => Promise<OpenCorpus>): void {
  describe(`the sources of the corpus in ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'citewire-sources-'));
    let corpus: OpenCorpus;

    const upload = async (owner: string, file: string, text: string) => {
      const source = { kind: 'file', key: newUploadKey(owner), name: file } as const;
      expect(await corpus.addSource({ ...source, content: Buffer.from(text) }, owner)).toBe('added');
      await corpus.index(source, { owner, extract });
      return sourceName(source, owner);
    };
    const find = async (text: string, owner?: string, sources?: readonly string[], rules = everySource) =>
      (await corpus.search({ text, limit: 5, rules, owner, sources }, signal)).map((passage) => passage.text);
    const stored = async (source: string) => (await corpus.storedSources()).find((each) => each.source === source);

    beforeAll(async () => {
      corpus = await open();
      mkdirSync(join(folder, 'docs'));
      for (let n = 0; n < 9; n += 1)
        writeFileSync(
          join(folder, 'docs', `${n}.md`),
          `# Lamp ${n}\n\nThe lamp number ${n} shines over the harbour.\n`,
        );
      mkdirSync(join(folder, 'node_modules', 'lantern'), { recursive: true });
      writeFileSync(join(folder, 'node_modules', 'lantern', 'package.json'), '{"name":"lantern","version":"1.0.0"}');
      writeFileSync(
        join(folder, 'node_modules', 'lantern', 'README.md'),
        '# Lantern\n\nThe lantern package has a wick.\n',
      );
    });
    afterAll(async () => {
      await corpus.close();
      rmSync(folder, { recursive: true });
    });

    it('finds what an account uploaded for that account alone, and nothing else beside the documentation of packages', async () => {
      await corpus.index({ kind: 'packages', path: join(folder, 'node_modules') });
      expect(await find('What has the wick?', mine)).toHaveLength(1);
      const source = await upload(mine, 'wick.txt', 'The wick of the lighthouse was trimmed by Ada in 1921.');
      expect(await find('Who trimmed the wick?', mine)).toEqual([expect.stringContaining('Ada')]);
      for (const owner of [theirs, everybody, undefined]) {
        expect(await find('Who trimmed the wick?', owner)).toEqual([expect.stringContaining('package')]);
      }
      for (const owner of [theirs, everybody]) {
        expect(await corpus.ownsPages(owner)).toBe(false);
        expect((await corpus.outline(owner)).passages).toEqual([]);
      }
      expect(await corpus.ownsPages(mine)).toBe(true);
      expect((await corpus.outline(mine)).passages.map(({ text }) => text)).toEqual([expect.stringContaining('Ada')]);
      expect(await stored(source)).toMatchObject({ kind: 'file', state: 'ready', pages: 1, passages: 1, bytes: 54 });
    });

    it('lists the pages within reach of an account in the order of their addresses, or none if there are more', async () => {
      const few = await open();
      const add = async (owner: string, key: string, file: string) => {
        const source = { kind: 'file', key: key.repeat(32), name: file } as const;
        await few.addSource({ ...source, content: Buffer.from('A text.') }, owner);
        await few.index(source, { owner, extract });
        return sourceName(source, owner);
      };
      const urls = async (reach: object, most = 9) => (await few.pages(reach, most, signal)).map(({ url }) => url);
      try {
        const last = await add(mine, 'b', 'last.txt');
        await add(mine, 'a', 'first.txt');
        await add(theirs, 'c', 'other.txt');
        const listed = await urls({ owner: mine });
        expect(listed.map((url) => url.split('/').at(-1))).toEqual(['first.txt', 'last.txt']);
        expect(await urls({ owner: mine, sources: [last] })).toEqual(listed.slice(1));
        expect(await urls({ owner: mine }, 1)).toEqual([]);
        expect(await urls({})).toEqual([]);
      } finally {
        await few.close();
      }
    });

    it('finds what is everybody’s and what is one’s own together, with source rules and by its title', async () => {
      await corpus.index({ kind: 'folder', path: join(folder, 'docs') });
      const theirOwn = await upload(theirs, 'Lamp 3.txt', 'The lamp number 3 is broken.');
      expect(await find('lamp number 3', theirs)).toEqual(
        expect.arrayContaining(['The lamp number 3 is broken.', expect.stringContaining('number 3 shines')]),
      );
      expect((await find('Which lamp is broken?', mine)).join()).not.toContain('broken');
      expect((await find('Lamp 3', mine))[0]).toContain('number 3 shines');
      const only = [parseSourceRule('file:///uploads/')!];
      const rules = { only, never: [] };
      expect(await find('lamp', theirs, undefined, rules)).toEqual(['The lamp number 3 is broken.']);
      expect(await find('lamp', mine, undefined, rules)).toEqual([]);
      expect(await find('lamp', theirs, [theirOwn])).toEqual(['The lamp number 3 is broken.']);
      expect(await find('lamp', mine, [theirOwn])).toEqual([]);
      expect(await find('lamp', theirs, [])).toEqual([]);
    });

    it('gives a source that waits to one of those that take it, and knows who has it', async () => {
      const source = { kind: 'file', key: newUploadKey(mine), name: 'pier.txt' } as const;
      await corpus.addSource({ ...source, content: Buffer.from('The pier is long.') }, mine);
      const name = sourceName(source, mine);
      const touchedAt = async () => (await stored(name))!.touched_at;
      const at = await touchedAt();
      await expect.poll(() => Date.now()).toBeGreaterThan(at);
      const taken = await Promise.all([1, 2, 3].map(() => corpus.takeSource(name, at)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const later = await touchedAt();
      expect(later).toBeGreaterThan(at);
      expect((await stored(name))!.state).toBe('waiting');
      await expect.poll(() => Date.now()).toBeGreaterThan(later);
      await corpus.keepSources([name, sourceName({ kind: 'url', url: 'https://gone.example/' }, mine)]);
      expect(await touchedAt()).toBeGreaterThan(later);
      expect(await corpus.takeSource(name, later)).toBe(false);
      await corpus.forget(name);
      expect(await corpus.takeSource(name, later)).toBe(false);
    });

    it('keeps the same page apart for each owner, so that forgetting one leaves the others', async () => {
      const read = (text: string) => ({
        read: async (url: string) => ({ id: snapshotId(url, text), url, title: 'Tide', text }),
        listPages: async (url: string) => [url],
        crawlDelay: async () => 0,
      });
      const source = { kind: 'url', url: 'https://tides.example/' } as const;
      await corpus.index(source, { owner: mine, reader: read('The tide is high at noon.') });
      await corpus.index(source, { owner: theirs, reader: read('The tide is low at noon.') });
      expect(await find('tide at noon', mine)).toContain('The tide is high at noon.');
      expect(await find('tide at noon', theirs)).toContain('The tide is low at noon.');
      // By its address each owner gets the text that a search would find, and those who would find none get none.
      const textAt = async (reach: object) => {
        const id = await corpus.pageAt(source.url, reach);
        return id === undefined ? undefined : (await corpus.snapshot(id, signal))?.text;
      };
      const ofMine = { owner: mine, sources: [sourceName(source, mine)] };
      for (const reach of [{ owner: mine }, ofMine]) expect(await textAt(reach)).toBe('The tide is high at noon.');
      const hidden = [{}, { owner: 'acc_others' }, { owner: mine, sources: [sourceName(source, theirs)] }];
      for (const reach of hidden) expect(await textAt(reach)).toBeUndefined();
      expect(await corpus.forget(sourceName(source, mine))).toBe(1);
      expect((await find('tide at noon', mine)).join()).not.toContain('tide');
      expect(await find('tide at noon', theirs)).toContain('The tide is low at noon.');
    });

    it('reads a page again for a source whose text another one has replaced', async () => {
      const url = 'https://moon.example/';
      const read = (text: string) => ({
        read: async () => ({ id: snapshotId(url, text), url, title: 'Moon', text }),
        listPages: async () => [url],
        crawlDelay: async () => 0,
      });
      const [one, other] = [{ kind: 'url', url } as const, { kind: 'urls', urls: [url] } as const];
      await corpus.index(one, { owner: mine, reader: read('The moon waxes.') });
      await corpus.index(other, { owner: mine, reader: read('The moon wanes.') });
      await corpus.forget(sourceName(other, mine));
      expect(await find('moon', mine)).toContain('The moon wanes.');
      const again = await corpus.index(one, { owner: mine, reader: read('The moon waxes.') });
      expect(again).toMatchObject({ updated: 1, unchanged: 0 });
      expect(await find('moon', mine)).toEqual(['The moon waxes.']);
      expect(await corpus.index(one, { owner: mine, reader: read('The moon waxes.') })).toMatchObject({ unchanged: 1 });
    });

    it('indexes a page whose address has an encoded NUL, and finds it by its place', async () => {
      const text = 'The ebb leaves a wreck dry.';
      const url = 'https://wrecks.example/dry%00/one%';
      const reader = {
        read: async () => ({ id: snapshotId(url, text), url, title: 'Wreck', text }),
        listPages: async () => [url],
        crawlDelay: async () => 0,
      };
      expect(await corpus.index({ kind: 'url', url }, { owner: mine, reader })).toMatchObject({ added: 1, failed: [] });
      const rules = { only: [parseSourceRule('wrecks.example/dry%00')!], never: [] };
      expect(await find('wreck', mine, undefined, rules)).toEqual([text]);
    });

    it('finds a few pages of one account among many of others', async () => {
      for (let n = 0; n < 30; n += 1)
        await upload(theirs, `${n}.txt`, `The buoy number ${n} of theirs drifts in the fog.`);
      await upload(mine, 'buoy.txt', 'A buoy of mine.');
      expect((await find('buoy', mine)).filter((text) => text.includes('buoy'))).toEqual(['A buoy of mine.']);
    });

    it('refuses more sources and more bytes than an account may store, and adds a known one once', async () => {
      const add = (key: string, bytes: number, limits: { sources: number; bytes: number }) =>
        corpus.addSource({ kind: 'file', key, name: 'x.txt', content: Buffer.alloc(bytes) }, 'acc_full', limits);
      const key = newUploadKey('acc_full');
      expect(await add(key, 60, { sources: 2, bytes: 100 })).toBe('added');
      expect(await add(key, 60, { sources: 2, bytes: 100 })).toBe('known');
      expect(await add(newUploadKey('acc_full'), 41, { sources: 2, bytes: 100 })).toBe('too_large');
      expect(await add(newUploadKey('acc_full'), 40, { sources: 2, bytes: 100 })).toBe('added');
      expect(await add(newUploadKey('acc_full'), 0, { sources: 2, bytes: 100 })).toBe('too_many');
      const raced = await Promise.all(
        Array.from({ length: 8 }, () =>
          corpus.addSource(
            { kind: 'file', key: newUploadKey('acc_race'), name: 'x', content: Buffer.alloc(30) },
            'acc_race',
            { sources: 100, bytes: 100 },
          ),
        ),
      );
      expect(raced.filter((outcome) => outcome === 'added')).toHaveLength(3);
    });

    describe('of an account that may store 10,000 bytes', () => {
      const owner = 'acc_tight';
      const limit = { maxBytes: 10_000 };
      /** Of each page of a site: its characters of two bytes each. */
      const sizes = new Map<string, number>();
      const reader = {
        async read(url: string) {
          const text = 'é'.repeat((sizes.get(url) ?? 0) / 2);
          return { id: `${url} ${text.length}`, url, title: 'Page', text };
        },
        listPages: async () => [...sizes.keys()],
        crawlDelay: async () => 0,
      };
      const site = (name: string) => ({ kind: 'url', url: `https://${name}.example/sitemap.xml` }) as const;
      const serve = (pages: Record<string, number>) => {
        sizes.clear();
        for (const [path, size] of Object.entries(pages)) sizes.set(`https://site.example/${path}`, size);
      };
      const index = (name: string) => corpus.index(site(name), { owner, reader, ...limit });
      const of = async (name: string) => stored(sourceName(site(name), owner));

      it('stops a site at the page that would exceed them, with the reason, and keeps the pages before', async () => {
        serve({ a: 4_000, b: 4_000, c: 4_000, d: 4_000 });
        await corpus.addSource(site('one'), owner);
        await expect(index('one')).rejects.toThrow('10000 bytes of sources');
        expect(await of('one')).toMatchObject({
          state: 'failed',
          reason: expect.stringContaining('remove a source'),
          pages: 2,
          bytes: 8_000,
        });
      });

      it('counts sites that have not been indexed to their end, and pages that have grown', async () => {
        serve({ e: 3_000 });
        await corpus.addSource(site('two'), owner);
        await expect(index('two')).rejects.toThrow('10000 bytes of sources');
        serve({ e: 2_000 });
        await index('two');
        expect(await of('two')).toMatchObject({ state: 'ready', bytes: 2_000 });
        serve({ e: 2_002 });
        await expect(index('two')).rejects.toThrow('10000 bytes of sources');
        expect(await of('two')).toMatchObject({ state: 'failed', bytes: 2_000 });
      });

      it('accepts pages again once others are shorter, gone or removed', async () => {
        serve({ a: 1_000 });
        await index('one');
        expect(await of('one')).toMatchObject({ state: 'ready', pages: 1, bytes: 1_000 });
        serve({ e: 9_000 });
        await index('two');
        expect(await of('two')).toMatchObject({ state: 'ready', bytes: 9_000 });
        await corpus.forget(sourceName(site('two'), owner));
        serve({ a: 9_000 });
        await index('one');
        expect(await of('one')).toMatchObject({ state: 'ready', bytes: 9_000 });
      });

      it('counts a page for each site that has it, as large as the last of them read it', async () => {
        serve({ a: 4_000 });
        await corpus.addSource(site('two'), owner);
        await index('one');
        await index('two');
        expect([await of('one'), await of('two')]).toMatchObject([{ bytes: 4_000 }, { bytes: 4_000 }]);
        serve({ a: 6_000 });
        await expect(index('two')).rejects.toThrow('10000 bytes of sources');
        serve({ a: 5_000 });
        await index('two');
        expect([await of('one'), await of('two')]).toMatchObject([{ bytes: 5_000 }, { bytes: 5_000 }]);
      });
    });

    it('says of each source what it has, what failed and why, to its owner', async () => {
      const source = await upload(mine, 'empty.txt', ' ');
      expect(await stored(source)).toMatchObject({
        state: 'failed',
        pages: 0,
        failures: [{ source: 'empty.txt', reason: 'it has no text' }],
      });
      const docs = (await corpus.storedSources(theirs)).find(({ kind }) => kind === 'folder');
      expect(docs).toMatchObject({ name: 'docs', address: 'file:///docs/', pages: 9, state: 'ready', passages: 9 });
      expect(docs!.bytes).toBeGreaterThan(300);
      expect((await corpus.storedSources(mine)).filter(({ owner }) => owner === theirs)).toEqual([]);
      await expect(corpus.index({ kind: 'folder', path: join(folder, 'absent') })).rejects.toThrow('does not exist');
      expect((await corpus.storedSources()).some((each) => each.source.endsWith('absent'))).toBe(false);
    });

    it('leaves nothing of a source that is removed while it is indexed', async () => {
      let reading = () => {};
      const began = new Promise<void>((resolve) => {
        reading = resolve;
      });
      const reader = {
        async read(url: string, until: AbortSignal) {
          reading();
          await new Promise((_, reject) => until.addEventListener('abort', () => reject(until.reason)));
          throw new Error(url);
        },
        listPages: async (url: string) => [url],
        crawlDelay: async () => 0,
      };
      const source = { kind: 'url', url: 'https://slow.example/' } as const;
      const indexing = corpus.index(source, { owner: mine, reader });
      indexing.catch(() => {});
      await began;
      await corpus.forget(sourceName(source, mine));
      await expect(indexing).rejects.toThrow('removed');
      expect(await stored(sourceName(source, mine))).toBeUndefined();
    });

    it('indexes nothing of a source that was removed while it waited for its turn', async () => {
      let requests = 0;
      const reader = {
        async read(url: string) {
          requests += 1;
          return { id: 'x', url, title: 'Back', text: 'The source that came back.' };
        },
        listPages: async (url: string) => [url],
        crawlDelay: async () => 0,
      };
      const source = { kind: 'url', url: 'https://queued.example/' } as const;
      await corpus.addSource(source, mine);
      await corpus.forget(sourceName(source, mine));
      await expect(corpus.index(source, { owner: mine, reader, wasAdded: true })).rejects.toThrow('removed');
      expect(requests).toBe(0);
      expect(await stored(sourceName(source, mine))).toBeUndefined();
    });

    it('stores no page of a source that was removed while the page was read', async () => {
      const source = { kind: 'url', url: 'https://gone.example/' } as const;
      const reader = {
        async read(url: string) {
          if (url.endsWith('/1')) await corpus.forget(sourceName(source, mine));
          return { id: url, url, title: 'Gone', text: `The whirligig ${url} was removed.` };
        },
        listPages: async (url: string) => [1, 2, 3].map((n) => `${url}${n}`),
        crawlDelay: async () => 0,
      };
      await corpus.addSource(source, mine);
      await expect(corpus.index(source, { owner: mine, reader, wasAdded: true })).rejects.toThrow('removed');
      expect((await find('whirligig', mine)).join()).not.toContain('whirligig');
      expect((await corpus.sources()).map((each) => each.source)).not.toContain(sourceName(source, mine));
    });

    it.each([
      ['before its files are indexed', 1],
      ['once all of them are', 2],
    ])('leaves nothing searchable of a folder that is removed by another process %s', async (_, removedAfter) => {
      const source = { kind: 'folder', path: join(folder, 'pier') } as const;
      const name = sourceName(source);
      mkdirSync(source.path, { recursive: true });
      writeFileSync(join(source.path, 'pier.md'), '# Pier\n\nThe bollard of the pier is green.\n');
      await corpus.addSource(source, everybody);
      let steps = 0;
      const inTurn = async <Result>(step: () => Promise<Result>) => {
        steps += 1;
        const result = await step();
        // What the other process does first; it sweeps what is there at that moment.
        if (steps === removedAfter) await corpus.forget(name);
        return result;
      };
      await expect(corpus.index(source, { wasAdded: true, inTurn })).rejects.toThrow('removed');
      expect((await find('green bollard')).join()).not.toContain('bollard');
      expect((await corpus.sources()).map((each) => each.source)).not.toContain(name);
    });
  });
}
