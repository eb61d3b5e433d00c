/** What every corpus must do, whatever it is kept in: pages that are indexed, found, updated and forgotten. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everySource, parseSourceRule, type SourceRule } from '../../protocol/source-rules.ts';
import { snapshotId } from '../../src/base/snapshot-id.ts';
import type { OpenCorpus } from '../../src/corpus/corpus.ts';
import type { ExtractPage } from '../../src/corpus/ingest/index-page.ts';
import { sourceName } from '../../src/corpus/ingest/index-source.ts';

/** `open` opens a new, empty corpus. */
export function corpusLaws(name: string, open: () => Promise<OpenCorpus>): void {
  describe(`the corpus in ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'citewire-corpus-'));
    const signal = new AbortController().signal;
    const docs = join(folder, 'docs');
    let corpus: OpenCorpus;

    const write = (path: string, content: string | Buffer) => {
      mkdirSync(join(docs, path, '..'), { recursive: true });
      writeFileSync(join(docs, path), content);
    };
    /** Fewer passages than the index has: of a smaller index, pages are returned whole. */
    const find = (text: string, rules = everySource, limit = 5) => corpus.search({ text, limit, rules }, signal);
    const titles = async (text: string) => (await find(text)).map((passage) => passage.title);
    const rule = (entry: string) => parseSourceRule(entry) as SourceRule;
    const indexDocs = () => corpus.index({ kind: 'folder', path: docs }, { extract });

    /** The least that an extractor must do; the real one is another folder's. */
    async function extract(bytes: Uint8Array) {
      const html = new TextDecoder().decode(bytes);
      return { title: /<title>(.*)<\/title>/.exec(html)?.[1] ?? '', text: html.replace(/<[^>]+>/g, ' ').trim() };
    }

    beforeAll(async () => {
      write(
        'client.md',
        '# Client\r\n\r\nThe **headersTimeout** option limits how long `undici` waits for headers.\r\n',
      );
      write(
        'pool.md',
        '---\ntitle: "A pool of clients"\n---\n\nIt opens connections through better-sqlite3 and node:fs.\n',
      );
      write('guide/tokyo.md', '# 観光案内\n\n東京都の人口は約1400万人です。猫も多い。\n');
      write('guide/cafe.txt', 'Café Müller stands in München; Beyoncé has sung there.\n');
      write('guide/page.html', '<title>Ports</title><p>The harbour of Piraeus is old.</p>');
      write('agency.md', '# North Sea Buoy Agency\n\nIt keeps what floats in its place.\n');
      write('film.md', '# Ed Wood\n\nA film by Tim Burton.\n');
      write(
        'director.md',
        '# Edward Davis\n\nThe director Ed Wood, of whom a film Ed Wood was made; Ed Wood was born in 1924.\n',
      );
      write(
        'mail.txt',
        'From: Dana <dana@a.example>\nTo: Paul\nSubject: Re: AW: Roof repair\n\nHi Paul,\n\nthe gutter leaks.\n',
      );
      write('binary.md', Buffer.from([0, 1, 2, 255, 254, 0]));
      write('latin.txt', Buffer.from('Gr\xfc\xdfe aus K\xf6ln', 'latin1'));
      write('.hidden/secret.md', '# Hidden');
      write('node_modules/x/README.md', '# Hidden');
      write('big.txt', 'word '.repeat(1_100_000));
      symlinkSync('..', join(docs, 'guide', 'loop'));
      symlinkSync('nowhere.md', join(docs, 'broken.md'));
      corpus = await open();
      const progress: number[] = [];
      const report = await corpus.index(
        { kind: 'folder', path: docs },
        { extract, onProgress: ({ done }) => progress.push(done) },
      );
      expect(report).toMatchObject({ done: 13, total: 13, added: 10, updated: 0, unchanged: 0, removed: 0 });
      expect(report.failed.map(({ source, reason }) => [source.slice(docs.length + 1), reason])).toEqual([
        ['big.txt', 'it is larger than 5 MB'],
        ['broken.md', 'it does not exist'],
        ['binary.md', 'it is not text'],
      ]);
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
    });

    afterAll(async () => {
      await corpus.close();
      rmSync(folder, { recursive: true });
    });

    describe('searching', () => {
      it('returns passages that are exact slices of stored snapshots', async () => {
        for (const query of ['headers timeout', '東京都', 'Piraeus harbour', 'film Ed Wood']) {
          const [best] = await find(query);
          const snapshot = await corpus.snapshot(best?.snapshot ?? '', signal);
          expect(snapshot?.text.slice(best?.start, best?.end)).toBe(best?.text);
          expect(snapshot).toMatchObject({ url: best?.url, id: snapshotId(snapshot?.url ?? '', snapshot?.text ?? '') });
          expect(snapshot?.text).not.toContain('\r');
          expect(best?.coverage).toBeGreaterThan(0.9);
        }
      });

      it('takes the title from front matter, the subject of a mail, the first heading or the file name', async () => {
        expect(await titles('gutter')).toEqual(['Roof repair']);
        expect(await titles('headers')).toEqual(['Client']);
        expect(await titles('connections')).toEqual(['A pool of clients']);
        expect(await titles('Müller')).toEqual(['cafe']);
      });

      it('finds identifiers whole and by their parts', async () => {
        for (const query of ['headersTimeout', 'headers timeout', 'HEADERSTIMEOUT', 'headers_timeout'])
          expect(await titles(query)).toContain('Client');
        for (const query of ['better-sqlite3', 'sqlite', 'node:fs', 'fs'])
          expect(await titles(query)).toContain('A pool of clients');
      });

      it('finds text in scripts without spaces by phrases and by single characters', async () => {
        for (const query of ['東京都の人口', '人口', '猫', '観光案内', '東京 population'])
          expect(await titles(query)).toEqual(['観光案内']);
      });

      it('finds words with and without their accents, and text that is not UTF-8', async () => {
        for (const query of ['beyonce', 'Beyoncé', 'MUNCHEN', 'cafe muller'])
          expect(await titles(query)).toEqual(['cafe']);
        expect((await find('Grüße Köln'))[0]?.text).toBe('Grüße aus Köln');
      });

      it('finds a page by the initials of its title, and no other by them', async () => {
        expect(await titles('What does the NSBA keep?')).toEqual(['North Sea Buoy Agency']);
        expect(await titles('nba')).toEqual([]);
      });

      it('puts the page first whose title is the query', async () => {
        expect((await titles('Ed Wood'))[0]).toBe('Ed Wood');
        expect((await titles('ed wood?'))[0]).toBe('Ed Wood');
      });

      it('searches for any text without an error, and returns nothing when nothing matches', async () => {
        const nothing = ['', '\0', '"', '🧪', '( * ^', 'zzzqqq', 'x'.repeat(40_000), '\ud800'];
        for (const text of nothing) expect(await find(text)).toEqual([]);
        expect(await titles(`timeout ${'filler '.repeat(8000)}`)).toEqual(['Client']);
        expect(await find('timeout', everySource, 0)).toEqual([]);
        expect(await find('timeout', everySource, -1)).toEqual([]);
      });

      it('rejects a search with the reason of an aborted signal, and keeps working', async () => {
        const reason = new Error('the caller left');
        await expect(
          corpus.search({ text: 'a', limit: 1, rules: everySource }, AbortSignal.abort(reason)),
        ).rejects.toBe(reason);
        const leaving = new AbortController();
        const search = corpus.search({ text: 'timeout', limit: 1, rules: everySource }, leaving.signal);
        leaving.abort(reason);
        await expect(search).rejects.toBe(reason);
        expect(await titles('timeout')).toEqual(['Client']);
      });

      it('stores a snapshot once, without making it searchable', async () => {
        const page = {
          url: 'https://example.org/a',
          title: 'A',
          text: 'Unfindable\0words',
          published_at: '2024-01-02',
        };
        const id = await corpus.putSnapshot(page);
        expect(await corpus.putSnapshot(page)).toBe(id);
        expect(await corpus.snapshot(id, signal)).toEqual({ id, ...page });
        expect(await find('Unfindable')).toEqual([]);
        expect(await corpus.snapshot('0'.repeat(32), signal)).toBeUndefined();
        await expect(corpus.putSnapshot({ ...page, text: '\ud800' })).rejects.toMatchObject({ code: 'invalid' });
      });
    });

    describe('indexing a second time', () => {
      it('updates only changed files when indexing again, keeps their old snapshots, and forgets deleted files', async () => {
        expect(await indexDocs()).toMatchObject({ added: 0, updated: 0, unchanged: 10, removed: 0 });
        const [before] = await find('Tim Burton');
        write('film.md', '# Ed Wood\n\nA film by Timothy Burton.\n');
        unlinkSync(join(docs, 'pool.md'));
        write('new.md', '# Zebra\n\nStripes.\n');
        expect(await indexDocs()).toMatchObject({ added: 1, updated: 1, unchanged: 8, removed: 1 });
        expect((await find('Burton'))[0]?.text).toContain('Timothy');
        expect(await titles('connections')).toEqual([]);
        expect(await titles('stripes')).toEqual(['Zebra']);
        expect((await corpus.snapshot(before?.snapshot ?? '', signal))?.text).toContain('Tim Burton');
      });

      it('updates the title and the date of a page whose text has not changed where it is found, and keeps its snapshot as it was', async () => {
        const url = 'https://bells.example/';
        const text = 'The bells of Marlow ring at dawn.';
        const index = (about: { title: string; published_at?: string }) => {
          const read = async () => ({ id: snapshotId(url, text), url, text, ...about });
          const reader = { read, listPages: async () => [url], crawlDelay: async () => 0 };
          return corpus.index({ kind: 'url', url }, { reader });
        };
        const shown = async () => {
          const [{ snapshot = '', title, published_at } = {}] = await find('bells of Marlow');
          const page = await corpus.snapshot(snapshot, signal);
          return [title, published_at, page?.title, page?.published_at];
        };
        const old = { title: 'Bells', published_at: '2024-01-02' };
        expect(await index(old)).toMatchObject({ added: 1 });
        expect(await index(old)).toMatchObject({ unchanged: 1 });
        expect(await shown()).toEqual(['Bells', '2024-01-02', 'Bells', '2024-01-02']);
        expect(await index({ title: 'Church bells', published_at: '2026-03-04' })).toMatchObject({ updated: 1 });
        expect(await shown()).toEqual(['Church bells', '2026-03-04', 'Bells', '2024-01-02']);
        expect(await index({ title: 'Church bells' })).toMatchObject({ updated: 1 });
        expect(await shown()).toEqual(['Church bells', undefined, 'Bells', '2024-01-02']);
        await corpus.forget(sourceName({ kind: 'url', url }));
      });

      it('returns pages that match whole from an index that has no more passages than are wanted, the matching ones first', async () => {
        const own = join(folder, 'few-docs');
        mkdirSync(own, { recursive: true });
        const rules = Array.from(
          { length: 6 },
          (_, i) => `## Rule ${i}\n\n${'Nobody rows alone in winter. '.repeat(45)}`,
        );
        writeFileSync(join(own, 'rules.md'), `# Rules\n\n${rules.join('\n\n')}\n`);
        writeFileSync(join(own, 'fees.md'), '# Fees\n\nAdults pay 340 pounds a year.\n');
        const small = await open();
        try {
          await small.index({ kind: 'folder', path: own });
          const { passages } = await small.stats();
          const search = async (text: string, limit: number, rules = everySource) =>
            (await small.search({ text, limit, rules }, signal)).map(({ title }) => title);
          const whole = await search('Which lamp do rowers carry? Rule 3 or rule 4?', passages);
          expect(whole.length).toBeGreaterThan(4);
          expect(new Set(whole)).toEqual(new Set(['Rules']));
          expect(await search('What do adults pay?', passages)).toEqual(['Fees']);
          const most = await search('Who is the captain of Rule 3?', passages - 1);
          expect(most.length).toBeGreaterThan(4);
          expect(new Set(most)).toEqual(new Set(['Rules']));
          expect(await search('regatta', passages)).toEqual([]);
          for (const question of ['Which cups were handed over?', 'How heavy is it?'])
            expect(new Set(await search(question, passages))).toEqual(new Set(['Rules', 'Fees']));
        } finally {
          await small.close();
        }
      });

      it('extracts PDF files like HTML files', async () => {
        const own = join(folder, 'pdf-docs');
        mkdirSync(own, { recursive: true });
        writeFileSync(join(own, 'terms.pdf'), Buffer.from('%PDF-1.4'));
        const types: string[] = [];
        const report = await corpus.index(
          { kind: 'folder', path: own },
          {
            extract: async (_, about) => {
              types.push(about.contentType);
              return { title: 'Terms', text: 'The excess is 800 kr for each loss.' };
            },
          },
        );
        expect(report).toMatchObject({ added: 1, failed: [] });
        expect(types).toEqual(['application/pdf']);
        expect(await titles('excess')).toEqual(['Terms']);
        await corpus.forget(`folder:${own}`);
      });

      it('finds a note by the date in its name and what is in it, with the date of its front matter', async () => {
        const notes = join(folder, 'daily');
        mkdirSync(notes);
        for (let day = 10; day < 20; day += 1)
          writeFileSync(
            join(notes, `2026-11-${day}.md`),
            `---\ndate: 2026-11-${day}\n---\n## Tasks\n\n- Oil the windlass, turn ${day}.\n\n## Agenda\n\nNone.\n`,
          );
        await corpus.index({ kind: 'folder', path: notes });
        const found = await find('What were the windlass tasks of 2026-11-14?');
        expect(found[0]).toMatchObject({ title: '2026-11-14', published_at: '2026-11-14' });
        await corpus.forget(`folder:${notes}`);
      });

      it('reads HTML files again, and no others, when the extractor version has changed', async () => {
        write('again/page.html', '<title>Heron</title><p>It wades through marshland.</p>');
        write('again/note.md', '# Stork\n\nIt nests on roofs.\n');
        const again = (extractorVersion: string, said: string) =>
          corpus.index(
            { kind: 'folder', path: join(docs, 'again') },
            { extract: async () => ({ title: 'Heron', text: said }), extractorVersion },
          );
        expect(await again('one', 'It wades through marshland.')).toMatchObject({ added: 2 });
        expect(await again('one', 'never asked for')).toMatchObject({ updated: 0, unchanged: 2 });
        expect(await again('another', 'It hunts at dusk.')).toMatchObject({ updated: 1, unchanged: 1 });
        expect(await titles('dusk')).toEqual(['Heron']);
        expect(await titles('marshland')).toEqual([]);
        rmSync(join(docs, 'again'), { recursive: true });
        expect(await corpus.forget(`folder:${join(docs, 'again')}`)).toBe(2);
      });

      it('says each time of which pages only the beginning is indexed, and does not read unchanged files for that', async () => {
        const long = join(folder, 'long');
        mkdirSync(long);
        for (const name of ['long', 'short']) writeFileSync(join(long, `${name}.html`), name);
        let reads = 0;
        const extract: ExtractPage = async (bytes) => {
          reads += 1;
          const text = `A page about dunlins, ${Buffer.from(bytes).toString()}.`;
          return { title: '', text, truncated: text.includes('long') };
        };
        for (const count of ['added', 'unchanged']) {
          const progress = await corpus.index({ kind: 'folder', path: long }, { extract, extractorVersion: 'v' });
          expect(progress).toMatchObject({ [count]: 2, truncated: [join(long, 'long.html')] });
          const stored = (await corpus.storedSources()).find(({ source }) => source === `folder:${long}`);
          expect(stored).toMatchObject({ state: 'ready', failed: 0, truncated: 1, truncations: ['long.html'] });
        }
        expect(reads).toBe(2);
        await corpus.forget(`folder:${long}`);
      });

      it('keeps an indexed page while another source still has it', async () => {
        write('shared/both.md', '# Quokka\n\nA marsupial.\n');
        write('shared/other.md', '# Tern\n\nA bird.\n');
        await indexDocs();
        expect(await corpus.index({ kind: 'folder', path: join(docs, 'shared') })).toMatchObject({ added: 2 });
        rmSync(join(docs, 'shared', 'both.md'));
        expect(await corpus.index({ kind: 'folder', path: join(docs, 'shared') })).toMatchObject({ removed: 1 });
        expect(await titles('marsupial')).toEqual(['Quokka']);
        expect(await indexDocs()).toMatchObject({ removed: 1 });
        expect(await titles('marsupial')).toEqual([]);
        rmSync(join(docs, 'shared'), { recursive: true });
        await corpus.forget(`folder:${join(docs, 'shared')}`);
      });

      it('keeps the pages of a folder that is empty this time, and of a file that cannot be reached', async () => {
        const own = join(folder, 'mounted');
        const source = { kind: 'folder', path: own } as const;
        mkdirSync(own);
        for (const name of ['ibis', 'teal']) writeFileSync(join(own, `${name}.md`), `# ${name}\n\nA wading ${name}.\n`);
        expect(await corpus.index(source)).toMatchObject({ added: 2 });
        rmSync(join(own, 'ibis.md'));
        symlinkSync('a name that is too long for a file '.repeat(10), join(own, 'ibis.md'));
        const report = await corpus.index(source);
        expect(report).toMatchObject({ unchanged: 1, removed: 0 });
        expect(report.failed).toHaveLength(1);
        expect(await titles('wading ibis')).toContain('ibis');
        rmSync(own, { recursive: true });
        mkdirSync(own);
        await expect(corpus.index(source)).rejects.toThrow('it is empty; its pages are kept');
        expect(await titles('wading ibis')).toContain('ibis');
        expect((await corpus.storedSources()).find((each) => each.source === `folder:${own}`)).toMatchObject({
          state: 'failed',
          pages: 2,
        });
        writeFileSync(join(own, 'teal.md'), '# teal\n\nA wading teal.\n');
        expect(await corpus.index(source)).toMatchObject({ unchanged: 1, removed: 1 });
        await corpus.forget(`folder:${own}`);
      });

      it('keeps the pages of a folder of which only links that lead nowhere are left', async () => {
        const own = join(folder, 'links');
        mkdirSync(own);
        writeFileSync(join(own, 'dabchick.md'), '# Dabchick\n\nA small grebe.\n');
        await corpus.index({ kind: 'folder', path: own });
        rmSync(join(own, 'dabchick.md'));
        symlinkSync(join(folder, 'disk-that-is-away', 'dabchick.md'), join(own, 'dabchick.md'));
        await expect(corpus.index({ kind: 'folder', path: own })).rejects.toThrow('it is empty; its pages are kept');
        expect(await titles('small grebe')).toContain('Dabchick');
        await corpus.forget(`folder:${own}`);
      });

      it('keeps the page of a file that has become too large, and forgets that of a file without text', async () => {
        const own = join(folder, 'sizes');
        mkdirSync(own);
        for (const name of ['gadwall.md', 'garganey.html'])
          writeFileSync(join(own, name), `# ${name}\n\nA ${name} duck.\n`);
        const extract: ExtractPage = async (bytes) => ({ title: '', text: Buffer.from(bytes).toString() });
        const again = () => corpus.index({ kind: 'folder', path: own }, { extract });
        expect(await again()).toMatchObject({ added: 2 });
        writeFileSync(join(own, 'gadwall.md'), Buffer.alloc(5 * 1024 * 1024 + 1, 'duck '));
        writeFileSync(join(own, 'garganey.html'), ' ');
        const report = await again();
        expect(report).toMatchObject({ removed: 1 });
        expect(report.failed).toHaveLength(2);
        const found = (await find('duck')).map(({ text }) => text).join();
        expect(found).toContain('A gadwall.md duck.');
        expect(found).not.toContain('garganey');
        await corpus.forget(`folder:${own}`);
      });

      it('forgets a source, except pages that another source also has', async () => {
        write('apart/numbat.md', '# Numbat\n\nIt eats termites.\n');
        const apart = { kind: 'folder', path: join(docs, 'apart') } as const;
        await corpus.index(apart);
        write('apart/bilby.md', '# Bilby\n\nIt digs, and eats termites too.\n');
        await indexDocs();
        expect(await corpus.sources()).toEqual(
          expect.arrayContaining([
            { source: `folder:${docs}`, pages: expect.any(Number), address: 'file:///docs/' },
            { source: `folder:${apart.path}`, pages: 1, address: 'file:///apart/' },
          ]),
        );
        await corpus.index(apart);
        expect(await corpus.forget(`folder:${apart.path}`)).toBe(2);
        expect((await corpus.sources()).map(({ source }) => source)).toEqual([`folder:${docs}`]);
        expect(await titles('termites')).toHaveLength(2);
        expect(await corpus.forget('folder:/nowhere')).toBe(0);
        rmSync(apart.path, { recursive: true });
        expect(await indexDocs()).toMatchObject({ removed: 2 });
        expect(await titles('termites')).toEqual([]);
      });

      it('stops indexing when its signal is aborted, and keeps what was indexed before', async () => {
        const stop = new AbortController();
        const stopped = corpus.index(
          { kind: 'folder', path: docs },
          { signal: stop.signal, onProgress: () => stop.abort() },
        );
        await expect(stopped).rejects.toThrow('aborted');
        expect(await titles('headers')).toEqual(['Client']);
      });

      it('refuses to index a folder that does not exist', async () => {
        await expect(corpus.index({ kind: 'folder', path: join(folder, 'absent') })).rejects.toThrow(
          /absent.*does not exist/,
        );
      });
    });

    describe('packages', () => {
      it('indexes packages under the public URL of their version: one version of each, without change logs', async () => {
        const add = (path: string, content: string) => {
          mkdirSync(join(folder, 'node_modules', path, '..'), { recursive: true });
          writeFileSync(join(folder, 'node_modules', path), content);
        };
        add('@scope/gizmo/package.json', '{"name": "@scope/gizmo", "version": "1.2.3"}');
        add('@scope/gizmo/README.md', '# Hello\n\nGizmo turns the flywheel.\n');
        add('@scope/gizmo/docs/The Wheel.md', '# Wheel\n\nHow a flywheel is spun.\n');
        add('@scope/gizmo/CHANGELOG.md', '# Log\n\nflywheel flywheel flywheel\n');
        add('other/package.json', '{"name": "other", "version": "2.0.0"}');
        add('other/node_modules/@scope/gizmo/package.json', '{"name": "@scope/gizmo", "version": "1.1.0"}');
        add('other/node_modules/@scope/gizmo/README.md', '# Hello\n\nGizmo once turned two flywheels.\n');
        const report = await corpus.index({ kind: 'installed', path: join(folder, 'node_modules') });
        expect(report).toMatchObject({ added: 2, failed: [] });
        const found = await find('flywheel');
        expect(found.map(({ title }) => title).sort()).toEqual(['@scope/gizmo', '@scope/gizmo › Wheel']);
        expect(found.find(({ title }) => title.endsWith('Wheel'))?.url).toBe(
          'https://cdn.jsdelivr.net/npm/@scope/gizmo@1.2.3/docs/The%20Wheel.md',
        );
      });

      /** Our package, as it is published or checked out: pages on its use and, where nothing else has them, on its development. */
      const addOwn = (to: string, word: string) => {
        const add = (path: string, content: string) => {
          mkdirSync(join(to, path, '..'), { recursive: true });
          writeFileSync(join(to, path), content);
        };
        add('package.json', '{"name": "citewire", "version": "1.0.0"}');
        add('README.md', `# Citewire\n\nThe ${word} is in the readme.\n`);
        add('SECURITY.md', `# Security\n\nThe ${word} is in the page on security.\n`);
        add('CONTRIBUTING.md', `# Contributing\n\nThe ${word} is in the page for contributors.\n`);
        add('docs/keys.md', `# Keys\n\nThe ${word} is in the docs.\n`);
        add('protocol/PROTOCOL.md', `# Protocol\n\nThe ${word} is in the protocol.\n`);
        add('protocol/GLOSSARY.md', `# Glossary\n\nThe ${word} is in the glossary.\n`);
        add('bench/README.md', `# Bench\n\nThe ${word} is in the bench.\n`);
        add('tools/training/NOTES.md', `# Notes\n\nThe ${word} is in the notes.\n`);
      };
      const ownPages = ['README.md', 'SECURITY.md', 'docs/keys.md', 'protocol/GLOSSARY.md', 'protocol/PROTOCOL.md'];

      it.each([
        ['published', 'zither', 'node_modules/citewire'],
        ['checked out', 'sackbut', ''],
      ])('indexes the pages on the use of our own package, %s', async (how, word, at) => {
        const packages = join(folder, how, 'node_modules');
        mkdirSync(packages, { recursive: true });
        addOwn(join(folder, how, at), word);
        const report = await corpus.index({ kind: 'installed', path: packages });
        expect(report).toMatchObject({ added: ownPages.length, failed: [] });
        const found = await find(word);
        expect(found.map(({ url }) => url).sort()).toEqual(
          ownPages.map((path) => `https://cdn.jsdelivr.net/npm/citewire@1.0.0/${path}`),
        );
        expect(found.every(({ title }) => title.startsWith('citewire'))).toBe(true);
      });

      it('prefers the pages of our own package for a question that names no other, until another source arrives', async () => {
        const packages = join(folder, 'first-steps', 'node_modules');
        const add = (path: string, content: string) => {
          mkdirSync(join(packages, path, '..'), { recursive: true });
          writeFileSync(join(packages, path), content);
        };
        for (const name of ['gadget', 'widget', 'sprocket', 'flange', 'bracket', 'washer', 'spindle']) {
          add(`${name}/package.json`, `{"name": "${name}", "version": "1.0.0"}`);
          add(
            `${name}/README.md`,
            `# ${name}\n\nChange the port: the port of ${name} is changed with the port option.\n`,
          );
        }
        add('citewire/package.json', '{"name": "citewire", "version": "1.0.0"}');
        add('citewire/docs/settings.md', '# Settings\n\nA variable changes the port.\n');
        const other = await open();
        const first = async (text: string) =>
          (await other.search({ text, limit: 5, rules: everySource }, signal)).map(({ title }) => title)[0];
        await other.index({ kind: 'packages', path: packages });
        expect(await first('How do I change the port?')).toBe('citewire › Settings');
        expect(await first('How do I change the port of a sprocket?')).toBe('sprocket');
        await other.index({ kind: 'installed', path: packages });
        await other.forget(`packages:${packages}`);
        expect(await first('How do I change the port?')).not.toBe('citewire › Settings');
        await other.close();
      });
    });

    describe('questions and answers', () => {
      it('puts the passage first in which a heading asks the question', async () => {
        const page = join(folder, 'questions', 'questions.md');
        mkdirSync(join(page, '..'), { recursive: true });
        const filler = 'The ferry timetable and the ferry luggage allowance follow. '.repeat(12);
        const about = (n: number) => `# Ferry ${n}\n\nFerry luggage allowance ${n}: the ferry has luggage.\n`;
        for (let n = 0; n < 6; n++) writeFileSync(join(page, '..', `ferry-${n}.md`), about(n));
        writeFileSync(page, `# Help\n\n${filler}\n\n## How much luggage is allowed on a ferry?\n\nTwo bags.\n`);
        await corpus.index({ kind: 'folder', path: join(page, '..') });
        const [best] = await find('How much luggage do you allow on the ferry?');
        expect(best?.text).toContain('Two bags.');
      });
    });

    describe('source rules', () => {
      it('applies source rules inside the index: finds one small site among many pages that match better', async () => {
        const small = join(folder, 'small', 'site.md');
        mkdirSync(join(small, '..'));
        writeFileSync(small, `# Site\n\nA walrus, once.${' Other words follow here.'.repeat(40)}\n`);
        const crowd = join(folder, 'crowd');
        mkdirSync(crowd);
        for (let n = 0; n < 300; n++)
          writeFileSync(join(crowd, `${n}.md`), `# Walrus ${n}\n\nwalrus walrus number ${n}\n`);
        await corpus.index({ kind: 'folder', path: crowd });
        await corpus.index({ kind: 'folder', path: join(small, '..') });
        const urls = async (only: SourceRule[], never: SourceRule[]) =>
          (await find('walrus', { only, never })).map((passage) => passage.url);
        expect(await urls([rule('file:///small/')], [])).toEqual(['file:///small/site.md']);
        expect(await urls([], [rule('file:///crowd')])).toEqual(['file:///small/site.md']);
        expect(await urls([rule('example.org')], [])).toEqual([]);
        expect(await urls([], [])).toHaveLength(5);
      });

      it('finds first the page about what a query asks the meaning of, or the entry of it', async () => {
        const manual = join(folder, 'manual');
        mkdirSync(manual);
        const add = (name: string, text: string) => writeFileSync(join(manual, name), text);
        add('seal.md', `# depot-seal(1)\n\nCloses parcels.\n${'\n## A word\n\nOf something else.\n'.repeat(99)}`);
        add(
          'terms.md',
          `# Terms\n\n**tare**\n\nThe weight of the box.\n${'\n**a term**\n\nIt is another.\n'.repeat(9)}`,
        );
        for (let n = 0; n < 9; n++)
          add(`${n}.md`, `# Use ${n}\n\nWhat depot seal may do: depot seal ${n} and the tare, a tare.\n`);
        await corpus.index({ kind: 'folder', path: manual });
        const only = [rule('file:///manual/')];
        const [first] = await find('What does depot seal do?', { only, never: [] });
        expect(first).toMatchObject({ title: 'depot-seal(1)', start: 0 });
        expect((await find('What is a tare?', { only, never: [] }))[0]?.title).toBe('Terms');
      });

      it('finds a page by a name that has no letters, in its code and among its words', async () => {
        const operators = join(folder, 'operators');
        mkdirSync(operators);
        const others = (n: number) => `The operator that joins what operator ${n} does is an operator. `.repeat(9);
        for (let n = 0; n < 9; n++) writeFileSync(join(operators, `${n}.md`), `# Operators ${n}\n\n${others(n)}\n`);
        writeFileSync(join(operators, 'status.md'), '# Status\n\n`$?`\n\nHolds what ended last.\n');
        writeFileSync(join(operators, 'again.md'), '# Again\n\n(!!) Stands for the line before.\n');
        writeFileSync(
          join(operators, 'either.md'),
          '# Either\n\n| sign | use |\n|---|---|\n| `\\|\\|` | One of two. |\n',
        );
        await corpus.index({ kind: 'folder', path: operators });
        const rules = { only: [rule('file:///operators/')], never: [] };
        for (const [query, title] of [
          ['What does $? do?', 'Status'],
          ['What is the operator !! for?', 'Again'],
          ['What does || do as an operator?', 'Either'],
        ])
          expect((await find(query!, rules))[0]?.title).toBe(title);
      });

      it('says of the passages of an index how large it is', async () => {
        const small = await open();
        await small.index({ kind: 'folder', path: join(folder, 'small') });
        const [found] = await small.search({ text: 'walrus', limit: 5, rules: everySource }, signal);
        expect(found?.corpusSize).toBe('small');
        expect((await find('walrus'))[0]?.corpusSize).toBe('medium');
        await small.close();
      });
    });

    describe('closing', () => {
      it('stops indexing when the corpus is closed, and refuses further work', async () => {
        const other = await open();
        const indexing = expect(other.index({ kind: 'folder', path: docs })).rejects.toMatchObject({ code: 'closed' });
        await other.close();
        await indexing;
        await expect(other.stats()).rejects.toMatchObject({ code: 'closed' });
      });
    });
  });
}
