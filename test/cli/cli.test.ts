/** The command line for users and scripts: what is printed where, and the exit code. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextResult } from '../../protocol/index.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { extractorVersion } from '../../src/web/extract/extractor-version.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { startServe } from '../support/processes/start-process.ts';
import { startTestApp, type TestApp, testPages } from '../support/start-app.ts';

const question = 'Who designed the Heron Point Lighthouse?';
const clone = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let env: Record<string, string>;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'citewire-cli-'));
  env = { DATA_DIR: join(folder, 'data') };
  app = await startTestApp();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('citewire index', () => {
  it('indexes a folder, and only what has changed the second time', async () => {
    const first = await runCli(['index', testPages], env);
    expect(first).toMatchObject({ code: 0, stdout: '3 added, 0 updated, 0 unchanged, 0 removed, 0 failed\n' });
    const second = await runCli(['index', testPages], env);
    expect(second.stdout).toBe('0 added, 0 updated, 3 unchanged, 0 removed, 0 failed\n');
  });

  it('reads HTML again after the extractor has changed', async () => {
    const pages = join(folder, 'html');
    await mkdir(pages);
    await writeFile(join(pages, 'heron.html'), '<title>Heron</title><p>It wades through marshland at dusk.</p>');
    const own = { DATA_DIR: join(folder, 'extracted') };
    expect((await runCli(['index', pages], own)).stdout).toMatch(/^1 added/);
    const corpus = await openCorpus({ file: join(folder, 'extracted', 'index.db') });
    const extract = async () => ({ title: 'Heron', text: 'It hunts.' });
    const again = (by: string) => corpus.index({ kind: 'folder', path: pages }, { extract, extractorVersion: by });
    expect(await again(extractorVersion)).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await again('another')).toMatchObject({ unchanged: 0, updated: 1 });
    await corpus.close();
  });

  it('cites a folder as its base URL, and refuses one that is not a base or belongs to a page', async () => {
    const own = { DATA_DIR: join(folder, 'based') };
    const based = await runCli(['index', testPages, '--base-url', 'https://docs.example/notes'], own);
    expect(based).toMatchObject({ code: 0, stdout: expect.stringMatching(/^3 added/) });
    expect((await runCli(['sources', 'list'], own)).stdout).toMatch(/\t3 pages\thttps:\/\/docs\.example\/notes\/\n$/);
    const asked = await runCli(['ask', question], own);
    expect(asked.stdout).toMatch(/\[1\] .*\n {4}https:\/\/docs\.example\/notes\/[\w-]+\.md/);
    for (const wrong of [
      'docs.example',
      'ftp://docs.example/',
      'https://a:b@docs.example/',
      'https://docs.example/?a',
    ]) {
      const { code, stderr } = await runCli(['index', testPages, '--base-url', wrong], own);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Expected an http(s) URL without')]);
    }
    const page = await runCli(['index', 'https://docs.example/', '--base-url', 'https://docs.example/'], own);
    expect([page.code, page.stderr]).toEqual([1, expect.stringContaining('Expected a folder with --base-url')]);
  });

  it('counts what it skipped for each reason, names the first failures and counts the rest', async () => {
    const pages = join(folder, 'mixed');
    await mkdir(join(pages, 'node_modules'), { recursive: true });
    await mkdir(join(pages, '.git'));
    await writeFile(join(pages, 'page.md'), '# A page\n\nWith a text.\n');
    for (const name of ['a.png', 'b.zip', '.hidden.md']) await writeFile(join(pages, name), 'x');
    for (let n = 0; n < 23; n += 1) await writeFile(join(pages, `${n}.md`), '#'.repeat(6 * 1024 * 1024));
    await writeFile(join(pages, 'scan.pdf'), 'x'.repeat(6 * 1024 * 1024));
    const { code, stdout, stderr } = await runCli(['index', pages], { DATA_DIR: join(folder, 'mixed-data') });
    expect([code, stdout]).toEqual([1, '1 added, 0 updated, 0 unchanged, 0 removed, 24 failed\n']);
    const lines = stderr.trim().split('\n');
    expect(lines.filter((line) => line.startsWith('failed: /'))).toHaveLength(20);
    expect(lines.filter((line) => / more: /.test(line)).join()).toMatch(/failed: [34] more: it is larger than 5 MB/);
    expect(lines).toEqual(
      expect.arrayContaining([
        'skipped: 2 (hidden)',
        'skipped: 1 (node_modules)',
        expect.stringMatching(/^skipped: 2 \(not Markdown, .+ or \w+: \.png 1, \.zip 1\)$/),
      ]),
    );
    expect(stderr).not.toContain('scan.pdf: it is larger');
  });

  it('reports a source that does not exist in one line', async () => {
    const { code, stdout, stderr } = await runCli(['index', join(folder, 'nowhere')], env);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('nowhere');
  });
});

describe('citewire sources', () => {
  it('lists indexed sources, and removes one by its name', async () => {
    const own = { DATA_DIR: join(folder, 'sources') };
    await runCli(['index', testPages], own);
    const listed = await runCli(['sources', 'list'], own);
    expect(listed).toMatchObject({
      code: 0,
      stdout: `folder:${testPages.replace(/\/$/, '')}\t3 pages\tfile:///pages/\n`,
    });
    const other = await runCli(['sources', 'remove', folder], own);
    expect([other.code, other.stdout, other.stderr]).toEqual([1, '', expect.stringContaining('sources list')]);
    expect(await runCli(['sources', 'remove', testPages], own)).toMatchObject({ code: 0, stdout: '' });
    expect((await runCli(['sources', 'list'], own)).stdout).toBe('');
  });
});

describe('a source whose indexing was interrupted', () => {
  it('is listed with a hint on stderr how it goes on', async () => {
    const DATA_DIR = join(folder, 'interrupted');
    expect((await runCli(['index', testPages], { DATA_DIR })).code).toBe(0);
    const database = new Database(join(DATA_DIR, 'index.db'));
    database.exec(`UPDATE sources SET about = json_set(about, '$.state', 'indexing', '$.touched_at', 1)`);
    database.close();
    const { code, stdout, stderr } = await runCli(['sources', 'list'], { DATA_DIR });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^folder:[^\n]+\n$/)]);
    const again = 'was interrupted. To go on, index it again with `citewire index` or start a server.\n';
    expect(stderr).toMatch(/^The indexing of folder:/);
    expect(stderr).toContain(again);
    await runCli(['index', testPages], { DATA_DIR });
    expect((await runCli(['sources', 'list'], { DATA_DIR })).stderr).toBe('');
  });
});

describe('a source without pages', () => {
  it('is listed, and can be removed', async () => {
    const own = { DATA_DIR: join(folder, 'no-pages') };
    const empty = join(folder, 'nothing-readable');
    await mkdir(empty);
    await writeFile(join(empty, 'blank.md'), ' ');
    await runCli(['index', empty], own);
    expect((await runCli(['sources', 'list'], own)).stdout).toMatch(/^folder:.*nothing-readable\t0 pages/);
    expect(await runCli(['sources', 'remove', empty], own)).toMatchObject({ code: 0 });
    expect((await runCli(['sources', 'list'], own)).stdout).toBe('');
  });
});

describe('citewire serve', () => {
  const indexed = async (own: Record<string, string>) => {
    const { child, ended } = startServe({ ...own, LOG_LEVEL: 'debug' });
    const said = await new Promise<string>((resolve) => {
      let text = '';
      const read = (bytes: Buffer) => {
        text += bytes;
        const line = /not indexing the documentation|indexing the documentation|indexed the documentation/.exec(
          text,
        )?.[0];
        if (line !== undefined) resolve(line);
      };
      for (const stream of [child.stdout!, child.stderr!]) stream.on('data', read);
    });
    child.kill('SIGTERM');
    await ended;
    return said;
  };

  it('indexes the documentation of the packages into an empty index only; it leaves when a source arrives', async () => {
    const filled = { DATA_DIR: join(folder, 'filled') };
    await runCli(['index', testPages], filled);
    expect(await indexed(filled)).toBe('not indexing the documentation');
    expect((await runCli(['sources', 'list'], filled)).stdout).toMatch(/^folder:[^\n]+\n$/);
    const empty = { DATA_DIR: join(folder, 'empty') };
    expect(await indexed(empty)).toMatch(/^(indexing|indexed) the documentation$/);
    expect((await runCli(['sources', 'list'], empty)).stdout).toMatch(/^packages:[^\n]+node_modules\t\d+ pages\n$/);
    expect(await indexed(empty)).toMatch(/^(indexing|indexed) the documentation$/);
    const own = await runCli(['index', testPages], empty);
    expect(own.stderr).toMatch(
      /documentation of Citewire and the installed packages \(\d+ pages\) was removed from the index.*index --installed/,
    );
    expect((await runCli(['sources', 'list'], empty)).stdout).toMatch(/^folder:[^\n]+\n$/);
    expect(await runCli(['index', '--installed'], empty)).toMatchObject({ stderr: '' });
    expect(await indexed(empty)).toBe('not indexing the documentation');
    expect((await runCli(['sources', 'list'], empty)).stdout).toMatch(
      /^folder:[^\n]+\ninstalled:[^\n]+node_modules\t\d+ pages\n$/,
    );
  }, 240_000);

  it('expects either a source to index or --installed', async () => {
    const none = { DATA_DIR: join(folder, 'none') };
    for (const args of [['index'], ['index', testPages, '--installed']]) {
      const { code, stderr } = await runCli(args, none);
      expect(code).toBe(2);
      expect(stderr).toContain('expected either a source or --installed');
    }
  });
});

describe('citewire login', () => {
  it('prints only a sign-in link, for the only account or the one named, at the configured base URL', async () => {
    const store = { DATA_DIR: join(folder, 'login') };
    const { stdout: id } = await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'team'], store);
    const first = await runCli(['login'], store);
    expect(first.stdout).toMatch(/^http:\/\/127\.0\.0\.1:8080\/dashboard\/sign-in#[\w-]{43}\n$/);
    expect(first.stderr).toContain(id.trim());
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'others'], store);
    const unclear = expect.stringContaining(`there are 2 accounts: ${id.trim()}, acc_`);
    for (const command of [['login'], ['webhooks', 'list'], ['schedules', 'list'], ['design', 'list']]) {
      expect(await runCli(command, store)).toMatchObject({ code: 1, stdout: '', stderr: unclear });
    }
    const named = await runCli(['login', '--account', id.trim()], { ...store, PUBLIC_URL: 'https://search.example/' });
    expect(named.stdout).toMatch(/^https:\/\/search\.example\/dashboard\/sign-in#/);
  });

  it('knows where the running server listens, and does not believe the note of one that was killed', async () => {
    const env = { DATA_DIR: join(folder, 'login-running'), PORT: '0', MEDIAWIKI_URL: 'off' };
    const running = startServe(env);
    const { url } = await running.listening;
    const { stdout } = await runCli(['login'], env);
    expect(stdout.startsWith(`${url}/dashboard/sign-in#`)).toBe(true);
    const proxied = await runCli(['login'], { ...env, PUBLIC_URL: 'https://search.example' });
    expect(proxied.stdout).toMatch(/^https:\/\/search\.example\//);
    running.child.kill('SIGKILL');
    await running.ended;
    expect(existsSync(join(env.DATA_DIR, 'server.json'))).toBe(true);
    expect(await runCli(['login'], env)).toMatchObject({ code: 1, stdout: '' });
    const again = startServe(env);
    await again.listening;
    again.child.kill('SIGTERM');
    const { out } = await again.ended;
    expect(out).toContain('keys create --account acc_development');
    expect(existsSync(join(env.DATA_DIR, 'server.json'))).toBe(false);
  });

  it('names FETCH_ALLOW_HOSTS only for addresses that it could allow', async () => {
    const store = { DATA_DIR: join(folder, 'hint') };
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'team'], store);
    for (const [url, isHinted] of [
      ['https://user:pw@a.example/hook', false],
      ['http://127.0.0.1/hook', true],
    ] as const) {
      const { code, stderr } = await runCli(['webhooks', 'add', url], store);
      expect([code, stderr.includes('FETCH_ALLOW_HOSTS')]).toEqual([1, isHinted]);
    }
  });

  it('says how the first account comes about where there is none', async () => {
    const none = { DATA_DIR: join(folder, 'no-account') };
    const expected = {
      code: 1,
      stderr:
        'citewire: There is no account yet: the first start of the server creates one, or `citewire accounts create`.\n',
    };
    for (const command of [['login'], ['webhooks', 'list'], ['schedules', 'list'], ['design', 'list']]) {
      expect(await runCli(command, none)).toMatchObject(expected);
    }
  });

  it('reports an invalid account or base URL', async () => {
    const store = { DATA_DIR: join(folder, 'login') };
    const unknown = await runCli(['login', '--account', 'acc_none'], store);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('There is no account acc_none');
    const noPath = await runCli(['login'], { ...store, PUBLIC_URL: 'https://search.example/path' });
    expect(noPath.stderr).toContain('PUBLIC_URL: expected a URL without a path');
    const noScheme = await runCli(['login'], { ...store, PUBLIC_URL: 'search.example.org' });
    expect(noScheme.stderr).toContain('PUBLIC_URL: expected a URL without a path');
  });
});

describe('citewire accounts', () => {
  it('creates an account whose keys follow its plan and status', async () => {
    const shared = { DATA_DIR: app.dataDir };
    const id = (await runCli(['accounts', 'create', '--plan', 'starter', '--name', 'lab'], shared)).stdout.trim();
    const key = (await runCli(['keys', 'create', '--account', id], shared)).stdout.trim();
    expect((await runCli(['accounts', 'set-plan', id, 'pro'], shared)).code).toBe(0);
    expect((await runCli(['accounts', 'suspend', id, '--reason', 'unpaid'], shared)).code).toBe(0);
    expect((await runCli(['accounts', 'list'], shared)).stdout).toMatch(/\tpro\tsuspended\tlab\t.*unpaid/);
    const keys = (await runCli(['keys', 'list'], shared)).stdout.split('\n').map((line) => line.split('\t'));
    const ofAccount = keys.filter(([, account]) => account === id);
    expect(ofAccount).toEqual([expect.arrayContaining([key.slice(3, 11), 'pro', 'account suspended'])]);
    const refused = await app.post('/v1/search', { prompt: question }, { 'x-api-key': key });
    expect(refused.status).toBe(403);
    expect(((await refused.json()) as { detail: string }).detail).toContain('unpaid');
    expect((await runCli(['accounts', 'activate', id], shared)).code).toBe(0);
    expect((await runCli(['accounts', 'set-plan', 'acc_none', 'pro'], shared)).code).toBe(1);
  });

  it('invites by a link that is shown once, lists it without, and revokes it', async () => {
    const store = { DATA_DIR: join(folder, 'invitations'), PUBLIC_URL: 'https://search.example' };
    const { stdout: link } = await runCli(['accounts', 'invite', '--name', 'Ada', '--plan', 'pro'], store);
    expect(link).toMatch(/^https:\/\/search\.example\/dashboard\/sign-in#[\w-]{43}\n$/);
    const { stdout: listed } = await runCli(['accounts', 'invitations'], store);
    expect(listed).toMatch(/^[0-9a-f]{64}\tpro\tAda\topen until \S+\n$/);
    expect(listed).not.toContain(link.trim().split('#')[1]);
    const id = listed.split('\t')[0]!;
    expect((await runCli(['accounts', 'revoke-invitation', id], store)).code).toBe(0);
    expect((await runCli(['accounts', 'revoke-invitation', id], store)).code).toBe(1);
    expect((await runCli(['accounts', 'invite', '--name', 'Ada', '--days', '31'], store)).stderr).toContain('1 to 30');
  });

  it('lists accounts by words and status', async () => {
    const store = { DATA_DIR: join(folder, 'account-list') };
    const { stdout: ada } = await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'Ada Lovelace'], store);
    await runCli(['accounts', 'create', '--plan', 'starter', '--name', 'Grace'], store);
    expect((await runCli(['accounts', 'list', '--search', 'love ada'], store)).stdout).toMatch(/^acc_\w+\tpro.*\n$/);
    await runCli(['accounts', 'suspend', ada.trim()], store);
    const suspended = await runCli(['accounts', 'list', '--status', 'suspended'], store);
    expect(suspended.stdout).toContain('Ada Lovelace');
    expect(suspended.stdout).not.toContain('Grace');
  });
});

describe('citewire ask', () => {
  it('prints only the answer and the cited sources when piped', async () => {
    await runCli(['index', testPages], env);
    const { code, stdout, stderr } = await runCli(['ask', question], env);
    expect(code).toBe(0);
    expect(stdout).toContain('Ingrid Solvay');
    expect(stdout).toMatch(/\[1\] .*\n {4}file:\/\/\/pages\/[\w-]+\.md/);
    expect(stdout + stderr).not.toContain('\x1b[');
  });

  it('prints the nearest passages where there is no answer', async () => {
    await runCli(['index', testPages], env);
    const { code, stdout } = await runCli(
      ['ask', 'How much did the granite blocks of the lighthouse cost per tonne in Norwegian money?'],
      env,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Not answered by these sources\..*\nThe nearest passages:\n\n\[\d\] .*granite/);
    expect(stdout).toMatch(/\n {4}Heron Point Lighthouse · file:\/\/\/pages\/heron-lighthouse\.md\n/);
  });

  it('says that there is more than it prints', async () => {
    const members = join(folder, 'members');
    await mkdir(members);
    const rows = Array.from({ length: 60 }, (_, n) => `Member ${n},${n % 2 === 0 ? 'Kiel' : 'Bremen'}`);
    await writeFile(join(members, 'members.csv'), `Name,City\n${rows.join('\n')}\n`);
    const own = { DATA_DIR: join(folder, 'members-data') };
    await runCli(['index', members], own);
    const { code, stdout } = await runCli(['ask', 'Which members live in Kiel?'], own);
    expect(code).toBe(0);
    expect(stdout.match(/\| Kiel \[1\] \|/g)).toHaveLength(20);
    expect(stdout).toMatch(
      /\|\n\nThis answer is incomplete\.\n\n\[1\] members\.csv\n {4}file:\/\/\/members\/members\.csv\n$/,
    );
  });

  it('prints only the result with --json', async () => {
    const { stdout } = await runCli(['ask', '--json', question], env);
    const result = JSON.parse(stdout) as TextResult;
    expect(result.status).toBe('answered');
    expect(result.citations.length).toBeGreaterThan(0);
  });

  it('answers with the model of --model, and lists those there are for another name', async () => {
    const { stdout } = await runCli(['ask', '--json', '--model', 'extractive', question], env);
    expect((JSON.parse(stdout) as TextResult).usage.models).toEqual(['extractive']);
    const { code, stderr } = await runCli(['ask', '--model', 'huge', question], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^citewire: expected the model "extractive"; got "huge"\n$/);
  });

  it('passes the effort and the dates on, and refuses others', async () => {
    const all = ['--effort', 'fast', '--from', '1999-01-01', '--to', '2999-01-01'];
    const { stdout } = await runCli(['ask', '--json', ...all, question], env);
    expect((JSON.parse(stdout) as TextResult).status).toBe('answered');
    const effort = await runCli(['ask', '--effort', 'huge', question], env);
    expect([effort.code, effort.stderr]).toEqual([2, expect.stringContaining('fast, balanced, deep')]);
    for (const field of ['from', 'to']) {
      const { code, stderr } = await runCli(['ask', `--${field}`, 'tomorrow', question], env);
      expect([code, stderr]).toEqual([2, expect.stringMatching(`^citewire: ${field}: .*tomorrow`)]);
    }
  });

  it('fills a template from a file', async () => {
    const schema = join(folder, 'schema.json');
    // As editors of Windows save it.
    await writeFile(schema, `\uFEFF${JSON.stringify({ designer: 'string', year: 'number' })}`);
    const { code, stdout } = await runCli(['ask', '--json', '--schema', schema, question], env);
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['designer', 'year']);
  });

  it('reports an invalid template', async () => {
    const schema = join(folder, 'bad.json');
    await writeFile(schema, JSON.stringify({ designer: 'strnig' }));
    const { code, stderr } = await runCli(['ask', '--schema', schema, question], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^citewire: output_format\.designer: expected "string".*got "strnig"\n$/);
    const missing = await runCli(['ask', '--schema', join(folder, 'none.json'), question], env);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      `citewire: ${join(folder, 'none.json')}: expected a file; it does not exist\n`,
    ]);
    const aFolder = await runCli(['ask', '--schema', folder, question], env);
    expect(aFolder.stderr).toBe(`citewire: ${folder}: expected a file; it is a folder\n`);
  });

  it('searches through a running server', async () => {
    const { code, stdout } = await runCli(['ask', '--server', app.url, '--key', app.key, question], env);
    expect(code).toBe(0);
    expect(stdout).toContain('Ingrid Solvay');
    const fromEnvironment = await runCli(['ask', '--server', app.url, question], { ...env, CITEWIRE_KEY: app.key });
    expect(fromEnvironment.stdout).toContain('Ingrid Solvay');
  });

  it('says where it should listen instead, if the address is taken', async () => {
    const { port } = new URL(app.url);
    const taken = { DATA_DIR: join(folder, 'taken'), PORT: port, MEDIAWIKI_URL: 'off' };
    const { code, stderr } = await runCli(['serve'], taken);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/citewire: Cannot listen on .* Set PORT or HOST to/)]);
  });

  it('refuses an empty question as an invalid argument', async () => {
    expect(await runCli(['ask', ''], env)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^citewire: prompt: /),
    });
  });

  it('says that what answers at another address is no server of Citewire', async () => {
    const other = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runCli(
      ['ask', '--server', `http://127.0.0.1:${port}`, '--key', 'cw_a', question],
      env,
    );
    other.close();
    expect([code, stderr]).toEqual([1, 'citewire: Expected a response of type text/event-stream; got none.\n']);
  });

  it('says what was expected of an address that is none', async () => {
    const { code, stderr } = await runCli(['ask', '--server', 'localhost:8080', question], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Expected an http(s) URL')]);
  });

  it('prints the error message of a server that refuses', async () => {
    const { code, stderr } = await runCli(['ask', '--server', app.url, '--key', 'cw_wrong', question], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^citewire: Expected a valid key of that server in --key or CITEWIRE_KEY/);
  });
});

describe('citewire keys', () => {
  it('prints only a new key, which works, is listed without its secret, and can be revoked', async () => {
    const shared = { DATA_DIR: app.dataDir };
    const { code, stdout } = await runCli(['keys', 'create', '--plan', 'starter', '--name', 'laptop'], shared);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^cw_\S+\n$/);
    const key = stdout.trim();
    expect((await app.post('/v1/search', { prompt: question }, { 'x-api-key': key })).status).toBe(200);
    const listed = await runCli(['keys', 'list'], shared);
    const line = listed.stdout.split('\n').find((each) => each.includes('laptop'));
    expect(line).toContain('starter');
    expect(listed.stdout).not.toContain(key.slice(12));
    const id = line!.split('\t')[0]!;
    expect((await runCli(['keys', 'revoke', id], shared)).code).toBe(0);
    expect((await runCli(['keys', 'list'], shared)).stdout).toContain('revoked');
  });

  it('says in the help of each command how the port is set, which is no option', async () => {
    const { code, stdout } = await runCli(['serve', '--help'], env);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/\n\nSettings, such as .*PORT.* docs\/settings\.md\.\n$/),
    ]);
  });

  it.each([[['keys', 'create', '--plan', 'gold']], [['keys', 'create']], [['keys', 'revoke']], [['unknown']]])(
    'exits with 2 and says what was expected for %j',
    async (args) => {
      const { code, stdout, stderr } = await runCli(args, env);
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/error: /);
    },
  );
});

describe('paths that are given', () => {
  const npm = (args: readonly string[], cwd: string) =>
    new Promise<string>((resolve) => {
      const options = { cwd, env: { PATH: process.env.PATH ?? '', HOME: folder, DATA_DIR: join(folder, 'given') } };
      execFile('npm', ['run', '-s', '--prefix', clone, 'citewire', '--', ...args], options, (_, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });

  it('are read where the command was given, as with the alias for a clone', async () => {
    const place = join(folder, 'elsewhere');
    await mkdir(join(place, 'docs'), { recursive: true });
    await writeFile(join(place, 'docs', 'gull.md'), '# Gull\n\nThe gull of Quarn nests on the quay.\n');
    expect(await npm(['index', './docs'], place)).toContain('1 added, 0 updated');
    expect(await npm(['backup', 'copy'], place)).toContain('index.db');
    expect(existsSync(join(place, 'copy', 'index.db'))).toBe(true);
    expect(await npm(['sources', 'remove', 'docs'], place)).toContain('1 page');
  });

  it('are read in the working directory by what another script of npm starts', async () => {
    const scripts = { npm_lifecycle_event: 'test', npm_package_json: join(clone, 'package.json'), INIT_CWD: folder };
    const { stderr } = await runCli(['ask', '--schema', 'protocol/PROTOCOL.md', question], { ...env, ...scripts });
    expect(stderr).toContain('expected JSON');
  });
});

describe.skipIf(!existsSync('/dev/full'))('standard output on a full disk', () => {
  it('ends the command with one sentence', async () => {
    const shell = ['-c', 'exec "$0" "$1" --help > /dev/full', process.execPath, join(clone, 'tools/start.js')];
    const [code, stderr] = await new Promise<[unknown, string]>((resolve) => {
      execFile('sh', shell, (error, _, text) => resolve([error?.code, text]));
    });
    expect([code, stderr]).toEqual([1, 'citewire: Standard output cannot be written: the disk is full.\n']);
  });
});

describe('citewire', () => {
  it.each([
    ['PORT', '99999'],
    ['LOG_LEVEL', 'loud'],
    ['HOST', 'not an address'],
    ['ALLOWED_ORIGINS', 'example.org'],
    ['FETCH_ALLOW_HOSTS', 'http://a'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ])('exits with one sentence when %s is invalid', async (name, value) => {
    const { code, stdout, stderr } = await runCli(['serve'], { ...env, [name]: value });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe(`citewire: ${name}: ${stderr.slice(`citewire: ${name}: `.length)}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(JSON.stringify(value));
  });
});
