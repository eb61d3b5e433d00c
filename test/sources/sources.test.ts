/** Sources as accounts use them over HTTP: added, uploaded, asked, watched and removed; and what nobody may do with them. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexedSource, IndexedSourceList, TextResult } from '../../protocol/index.ts';
import { createClient } from '../../src/client/client.ts';
import { makeOpenDocument } from '../support/documents/make-opendocument.ts';
import { makePdf } from '../support/documents/make-pdf.ts';
import { makePptx, shape, textLine } from '../support/documents/make-pptx.ts';
import { makeXlsx, textRow } from '../support/documents/make-xlsx.ts';
import { makeZip } from '../support/documents/make-zip.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const roots = join(folder, 'roots');
const site = createServer((request, response) => {
  response.setHeader('content-type', request.url === '/sitemap.xml' ? 'application/xml' : 'text/html');
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  if (request.url === '/robots.txt') return response.writeHead(404).end();
  if (request.url === '/sitemap.xml')
    return response.end(`<urlset><url><loc>${base}/tide</loc></url><url><loc>${base}/gone</loc></url></urlset>`);
  if (request.url === '/gone') return response.writeHead(404).end();
  response.end('<title>Tides</title><h1>Tides</h1><p>The spring tide at Marlow Quay reaches nine metres in March.</p>');
});
let app: TestApp;
let starter: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  mkdirSync(join(roots, 'docs'), { recursive: true });
  mkdirSync(join(folder, 'secret'));
  writeFileSync(join(roots, 'docs', 'a.md'), '# Fog\n\nThe fog signal sounds every forty seconds.\n');
  writeFileSync(join(folder, 'secret', 's.md'), '# Secret\n\nThe password is zebra.\n');
  symlinkSync(join(folder, 'secret'), join(roots, 'link'));
  const { port } = site.address() as AddressInfo;
  app = await startTestApp({ SOURCE_ROOTS: roots, FETCH_ALLOW_HOSTS: `127.0.0.1:${port}` });
  starter = (await app.accounts.createKey({ name: 'starter', plan: 'starter' })).plaintext;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  site.close();
});

const call = (method: string, path: string, body?: unknown, key = app.key) =>
  fetch(app.url + path, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const upload = (name: string, content: string | Uint8Array, key = app.key) =>
  fetch(`${app.url}/v1/sources/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: typeof content === 'string' ? content : new Uint8Array(content),
  });
const list = async (key = app.key) =>
  (await (await call('GET', '/v1/sources', undefined, key)).json()) as IndexedSourceList;

async function settled(response: Response, key = app.key): Promise<IndexedSource> {
  const text = await response.text();
  expect([200, 201], text).toContain(response.status);
  const { source_id } = JSON.parse(text) as IndexedSource;
  for (;;) {
    const source = (await list(key)).items.find((each) => each.source_id === source_id)!;
    if (source.state === 'ready' || source.state === 'failed') return source;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
async function ask(prompt: string, key = app.key): Promise<TextResult> {
  const response = await app.post('/v1/search', { prompt }, { 'x-api-key': key });
  return (await response.json()) as TextResult;
}

const paragraph = (text: string, style = '') =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const docx = (body: string) =>
  makeZip({ 'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>` });

describe('uploaded files', () => {
  const uploadForm = (form: FormData) =>
    fetch(`${app.url}/v1/sources/files?name=petrel.md`, {
      method: 'POST',
      headers: { 'x-api-key': app.key },
      body: form,
    });

  it('may come in a form, of which only the file is read', async () => {
    const text = '# Petrel\r\n\r\nThe Petrel buoy was repaired by Ola Brand in 1987.\r\n\r\n--x\r\n';
    const form = new FormData();
    form.append('purpose', 'assistants');
    form.append('file', new Blob([text], { type: 'text/markdown' }), 'other.md');
    const source = await settled(await uploadForm(form));
    expect(source).toMatchObject({ name: 'petrel.md', bytes: text.length, pages: 1 });
    expect((await ask('Who repaired the Petrel buoy?')).answer).toContain('Ola Brand');
  });

  it('are refused as a form with no file or several, or one that is cut off', async () => {
    const [none, several] = [new FormData(), new FormData()];
    none.append('file', 'a text');
    for (const name of ['1.md', '2.md']) several.append('files', new Blob(['x']), name);
    const cut = async (contentType: string, body: string) =>
      fetch(`${app.url}/v1/sources/files?name=petrel.md`, {
        method: 'POST',
        headers: { 'x-api-key': app.key, 'content-type': contentType },
        body,
      });
    const typed = 'multipart/form-data; boundary=b';
    const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nx';
    const answers = [
      await uploadForm(none),
      await uploadForm(several),
      await cut('multipart/form-data', 'x'),
      await cut(typed, 'x'),
      await cut(typed, file),
      await cut(typed, '--b\r\n'),
      await cut(typed, `${'--b\r\n\r\n\r\n'.repeat(30)}--b--`),
    ];
    for (const answer of answers) {
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('a form with one file')]);
    }
    const empty = await cut(typed, '--b\r\nContent-Disposition: form-data; filename="f"\r\n\r\n\r\n--b--');
    expect([empty.status, await empty.text()]).toEqual([422, expect.stringContaining('an empty body')]);
  });

  it('say at which address they are cited, which restricts a search to them', async () => {
    const one = await settled(
      await upload('plover 1.md', '# Plover\n\nThe Plover lamp was lit by Ana Reed in 1901.\n'),
    );
    const two = await settled(
      await upload('plover 2.md', '# Plover\n\nThe Plover lamp was lit by Tom Hale in 1902.\n'),
    );
    expect(one.address).toMatch(/^file:\/\/\/uploads\/[0-9a-f]{32}\/plover%201\.md$/);
    for (const [{ address }, name] of [
      [one, 'Ana Reed'],
      [two, 'Tom Hale'],
    ] as const) {
      const body = { prompt: 'Who lit the Plover lamp?', source_whitelist: [address] };
      const result = (await (await app.post('/v1/search', body)).json()) as TextResult;
      expect(result.citations[0]!.quote).toContain(name);
      expect(new Set(result.citations.map(({ url }) => url))).toEqual(new Set([address]));
    }
  });

  it.each([
    [
      'report.pdf',
      makePdf({ title: 'Report', pages: [['The Gannet buoy was repaired by Ines Varga in 1987.']] }),
      'Who repaired the Gannet buoy?',
      'Ines Varga',
    ],
    [
      'notes.md',
      '# Otter\n\nThe Otter ferry was painted by Bruno Keel in 1990.\n',
      'Who painted the Otter ferry?',
      'Bruno Keel',
    ],
    [
      'page.html',
      '<h1>Crane</h1><p>The Crane dock was opened by Lena Moss in 1955.</p>',
      'Who opened the Crane dock?',
      'Lena Moss',
    ],
    [
      'letter.docx',
      docx(
        `${paragraph('Plover', 'Heading1')}${paragraph('The Plover barge was sunk by Karl Hurst &amp; sons in 1911.')}`,
      ),
      'Who sunk the Plover barge?',
      'Karl Hurst & sons',
    ],
    [
      'book.epub',
      makeZip({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/b.opf"/></rootfiles></container>',
        'OEBPS/b.opf':
          '<package><metadata><dc:title>Stilts</dc:title></metadata><manifest><item id="c" href="c%201.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
        'OEBPS/c 1.xhtml':
          '<html><body><h1>Stilt</h1><p>The Stilt pier was designed by Nora Quill in 1902.</p></body></html>',
      }),
      'Who designed the Stilt pier?',
      'Nora Quill',
    ],
    ['crew.csv', 'ship,captain,year\nHeron,"Vogel, Ada",1931\n', 'Who is the captain of the ship Heron?', 'Vogel, Ada'],
    [
      'crew.xlsx',
      makeXlsx({
        sheets: [{ name: 'Crew', rows: textRow(1, 'ship', 'captain') + textRow(2, 'Curlew', 'Vera Lindt') }],
      }),
      'Who is the captain of the ship Curlew?',
      'Vera Lindt',
    ],
    [
      'talk.pptx',
      makePptx([
        { shapes: shape('title', textLine('Lights')), notes: 'The Dunlin lamp was cast by Otto Brandt in 1934.' },
      ]),
      'Who cast the Dunlin lamp?',
      'Otto Brandt',
    ],
    [
      'letter.odt',
      makeOpenDocument('text', '<text:p>The Avocet bridge was drawn by Clara Venn in 1922.</text:p>'),
      'Who drew the Avocet bridge?',
      'Clara Venn',
    ],
    [
      'offer.eml',
      'From: Dana Holt <dana@a.example>\r\nSubject: The Whimbrel crane\r\n\r\nThe Whimbrel crane was sold by Piet Maas in 1977.\r\n',
      'Who sold the Whimbrel crane?',
      'Piet Maas',
    ],
    [
      'note.rtf',
      "{\\rtf1\\ansi The Godwit shed was rented by J\\'f6rg Falk in 1964.\\par}",
      'Who rented the Godwit shed?',
      'Jörg Falk',
    ],
  ])('answers a question from %s, with a citation that opens', async (name, content, question, answer) => {
    const source = await settled(await upload(name, content));
    expect(source).toMatchObject({ kind: 'file', name, state: 'ready', pages: 1, shared: false, failures: [] });
    const result = await ask(question);
    expect(result.answer).toContain(answer);
    const [citation] = result.citations;
    expect(citation!.url).toMatch(/^file:\/\/\/uploads\/[0-9a-f]{32}\//);
    const opened = await call('GET', `/v1/contents/${citation!.snapshot}`);
    const { response } = (await opened.json()) as { response: string };
    // A browser asks for it each time: the next person to sign in must not find it there.
    expect(opened.headers.get('cache-control')).toBe('private, no-cache');
    const etag = opened.headers.get('etag')!;
    const again = (key: string) =>
      fetch(`${app.url}/v1/contents/${citation!.snapshot}`, { headers: { 'x-api-key': key, 'if-none-match': etag } });
    expect([(await again(app.key)).status, (await again(starter)).status, (await again('none')).status]).toEqual([
      304, 404, 401,
    ]);
    expect(response.slice(citation!.source_start, citation!.source_end)).toBe(citation!.quote);
    expect((await call('GET', `/v1/contents/${citation!.snapshot}`, undefined, starter)).status).toBe(404);
  });

  it('are found, listed, indexed and removed by their own account alone', async () => {
    const mine = await settled(await upload('mine.txt', 'The Puffin key hangs in the blue cabin.'));
    expect((await ask('Where does the Puffin key hang?')).answer).toContain('blue cabin');
    expect(JSON.stringify(await ask('Where does the Puffin key hang?', starter))).not.toContain('blue cabin');
    expect((await list(starter)).items.map(({ name }) => name)).not.toContain('mine.txt');
    const path = `/v1/sources/${mine.source_id}`;
    for (const [method, at] of [
      ['GET', path],
      ['DELETE', path],
      ['POST', `${path}/index`],
    ] as const)
      expect((await call(method, at, undefined, starter)).status).toBe(404);
    expect((await settled(await call('POST', `${path}/index`))).state).toBe('ready');
    expect(await (await call('DELETE', path)).json()).toEqual({ source_id: mine.source_id, deleted: true });
    expect((await call('GET', path)).status).toBe(404);
    expect((await ask('Where does the Puffin key hang?')).answer).not.toContain('blue cabin');
  });

  it.each([
    ['a path as its name', '../../etc/passwd', 'x', 422],
    ['no name', '', 'x', 422],
    ['nothing in it', 'empty.txt', '', 422],
    ['bytes of another kind', 'fine.md', Buffer.from([0, 1, 2, 3, 255, 254]), 422],
    ['more than 20 MB', 'large.txt', Buffer.alloc(20 * 1024 * 1024 + 1, 'x'), 413],
  ])('refuses one with %s', async (_, name, content, status) => {
    const response = await upload(name, content);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: { message: string } }).error.message).toMatch(/expected/i);
  });

  it.each([
    [
      'a bomb of 200 MB',
      'bomb.docx',
      () => docx(Buffer.alloc(200 * 1024 * 1024, ' ').toString('latin1')),
      /too large|damaged/,
    ],
    ['an archive of something else', 'x.docx', () => makeZip({ 'a.txt': 'x' }), /Expected/],
    ['an archive cut off', 'cut.epub', () => makeZip({ 'a.txt': 'x'.repeat(999) }).subarray(0, 40), /damaged/],
    [
      'a document with a password',
      'locked.odt',
      () => makeOpenDocument('text', '', { files: { 'META-INF/manifest.xml': '<manifest:encryption-data/>' } }),
      /password/,
    ],
    ['a PDF that is none', 'x.pdf', () => Buffer.from('%PDF-1.7 nothing'), /damaged/],
  ])('says why it could not read %s', async (_, name, make, reason) => {
    const source = await settled(await upload(name, make()));
    expect(source).toMatchObject({ state: 'failed', pages: 0 });
    expect(source.failures[0]!.reason).toMatch(reason);
  });

  it('reads a table of 10 MB on one line up to its limits', async () => {
    const source = await settled(await upload('line.csv', 'cormorant,'.repeat(1024 * 1024)));
    expect(source.state).toBe('ready');
  });

  it('refuses what exceeds the bytes of the plan', async () => {
    const key = (await app.accounts.createKey({ name: 'hoarder', plan: 'starter' })).plaintext;
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1)
      statuses.push(
        (await upload(`${n}.pdf`, Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(19 * 1024 * 1024)]), key)).status,
      );
    expect(statuses).toEqual([201, 201, 201, 201, 201, 403]);
  });
});

describe('an upload that is too long', () => {
  it('is indexed from its beginning, and says so', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `Line ${n} of the log of the Marlow lock keeper.`);
    const source = await settled(await upload('log.txt', lines.join('\n')));
    expect(source).toMatchObject({ state: 'ready', failed: 0, truncated: 1, truncations: ['log.txt'] });
    const short = await settled(await upload('short.txt', 'The Marlow lock has two keepers.'));
    expect(short).not.toHaveProperty('truncated');
    for (const { source_id } of [source, short]) await call('DELETE', `/v1/sources/${source_id}`);
  });
});

describe('sources on the web and on the server', () => {
  it('have no password in their address, which every account would see', async () => {
    for (const url of [
      'https://ann:s3cret@example.org/a',
      'https://ann@example.org/a',
      'https://:s3cret@example.org/a',
    ]) {
      const answer = await call('POST', '/v1/sources', { url });
      expect(answer.status).toBe(422);
      const text = await answer.text();
      expect(text).toContain('Expected a URL without a user name or password.');
      expect(text).not.toContain('s3cret');
    }
    expect(JSON.stringify((await list()).items)).not.toContain('example.org/a');
  });

  it('indexes a sitemap for one account, with the failures of its pages', async () => {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/sitemap.xml`;
    const source = await settled(await call('POST', '/v1/sources', { url }, starter), starter);
    expect(source).toMatchObject({ kind: 'sitemap', name: url, pages: 1, failed: 1, shared: false, total: 2 });
    expect(source.failures[0]).toMatchObject({ source: expect.stringContaining('/gone') });
    expect((await ask('How high is the spring tide at Marlow Quay?', starter)).answer).toContain('nine metres');
    expect((await ask('How high is the spring tide at Marlow Quay?')).answer).not.toContain('nine metres');
  });

  it('indexes a folder for everybody, if an administrator asks and it is below a root', async () => {
    const source = await settled(await call('POST', '/v1/sources', { folder: join(roots, 'docs') }));
    expect(source).toMatchObject({ kind: 'folder', name: 'docs', shared: true, pages: 1 });
    expect((await ask('How often does the fog signal sound?', starter)).answer).toContain('forty seconds');
    expect((await call('DELETE', `/v1/sources/${source.source_id}`, undefined, starter)).status).toBe(403);
  });

  it.each([
    ['a folder elsewhere', '/etc', 422],
    ['a folder above', join(folder), 422],
    ['a link that leads out', join(roots, 'link'), 422],
    ['dots that lead out', `${roots}/docs/../../secret`, 422],
    ['a file', join(roots, 'docs', 'a.md'), 422],
    ['a relative path', 'docs', 422],
  ])('refuses %s to an administrator, and any to others', async (_, path, status) => {
    expect((await call('POST', '/v1/sources', { folder: path })).status).toBe(status);
    expect((await call('POST', '/v1/sources', { folder: path }, starter)).status).toBe(403);
    expect((await call('POST', '/v1/sources', { folder: join(roots, 'docs') }, starter)).status).toBe(403);
  });

  it('refuses what everybody would find, and a host that is not public, to others', async () => {
    const shared = { url: 'https://docs.example/', shared: true };
    expect((await call('POST', '/v1/sources', shared, starter)).status).toBe(403);
    const source = await settled(
      await call('POST', '/v1/sources', { url: 'http://169.254.169.254/x' }, starter),
      starter,
    );
    expect(source).toMatchObject({ state: 'failed', pages: 0 });
  });

  it('refuses changes with a key that is restricted to searches', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'reader', plan: 'pro', scopes: ['search'] });
    expect((await upload('a.txt', 'x', plaintext)).status).toBe(403);
    expect((await call('GET', '/v1/sources', undefined, plaintext)).status).toBe(200);
  });
});

describe('the sources of the client', () => {
  it('uploads, adds, lists, indexes again and removes', async () => {
    const { sources, close } = createClient({ baseUrl: app.url, apiKey: app.key });
    const { source_id } = await sources.upload('tern.md', new Blob(['# Tern\n\nThe tern nests on the pier.']));
    expect(await sources.get(source_id)).toMatchObject({ name: 'tern.md', kind: 'file' });
    expect((await sources.list()).items.map((each) => each.source_id)).toContain(source_id);
    expect((await sources.reindex(source_id)).source_id).toBe(source_id);
    expect(await sources.remove(source_id)).toEqual({ source_id, deleted: true });
    await expect(sources.add({ folder: '/etc' })).rejects.toMatchObject({ status: 422 });
    close();
  });
});

describe('the stream of sources', () => {
  it('begins with all of them, and tells of an upload, its end and its removal', async () => {
    const response = await call('GET', '/v1/sources/events');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (pattern: RegExp) => {
      while (!pattern.test(text)) text += (await reader.read()).value ?? '';
    };
    await until(/source\.updated/);
    const { source_id } = await settled(await upload('seen.txt', 'A gull was seen.'));
    await until(new RegExp(`"${source_id}"[^\\n]*"state":"ready"`));
    await call('DELETE', `/v1/sources/${source_id}`);
    await until(new RegExp(`event: source.removed\\ndata: .*${source_id}`));
    await reader.cancel();
  });
});
