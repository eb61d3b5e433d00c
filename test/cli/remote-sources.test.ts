/** `citewire sources` and `citewire collections` at a running server, and questions to its collections. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/processes/run-cli.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let app: TestApp;

beforeAll(async () => {
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'fog.md'), '# Fog\n\nThe fog signal sounds every forty seconds.\n');
  writeFileSync(join(folder, 'vault.md'), '# Petrel\n\nThe Petrel vault opens with the word marzipan.\n');
  app = await startTestApp({ SOURCE_ROOTS: folder });
});
afterAll(() => app[Symbol.asyncDispose]());

const run = (...args: string[]) =>
  runCli([...args, '--server', app.url], { CITEWIRE_KEY: app.key, DATA_DIR: join(folder, 'unused') });

describe('the commands of sources and collections at a server', () => {
  it('upload, add, list, group, ask and remove', async () => {
    const uploaded = await run('sources', 'upload', join(folder, 'vault.md'));
    expect(uploaded).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^src_\w+\tfile\tvault\.md\tready\t1 page\n$/),
    });
    const local = await runCli(['sources', 'list'], { DATA_DIR: app.dataDir });
    expect(local.stdout).toMatch(/file:\w+\t1 page\tvault\.md\n/);
    const added = await run('sources', 'add', '--folder', join(folder, 'docs'));
    expect(added.stdout).toMatch(/\tfolder\tdocs\tready\t1 page\n$/);
    expect((await run('sources', 'reindex', 'vault.md')).code).toBe(0);
    expect((await run('sources', 'list')).stdout.split('\n').map((line) => line.split('\t')[2])).toEqual(
      expect.arrayContaining(['vault.md', 'docs']),
    );

    const created = await run('collections', 'create', 'Vault', '--add', 'vault.md');
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^col_\w+\n$/) });
    expect((await run('collections', 'create', 'Fog')).code).toBe(0);
    expect((await run('collections', 'change', 'fog', '--name', 'Signals', '--add', 'docs')).stderr).toBe(
      'Signals: 1 source\n',
    );
    expect((await run('collections', 'list')).stdout).toMatch(
      /^col_\w+\tSignals\t1 source\ncol_\w+\tVault\t1 source\n$/,
    );

    const question = 'With which word does the Petrel vault open?';
    expect((await run('ask', question, '--collection', 'Vault', '--key', app.key)).stdout).toContain('marzipan');
    expect((await run('ask', question, '--collection', 'Signals', '--key', app.key)).stdout).not.toContain('marzipan');
    const unknown = await run('ask', question, '--collection', 'None', '--key', app.key);
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('one of your collections');

    expect((await run('collections', 'remove', 'Signals')).code).toBe(0);
    expect((await run('sources', 'remove', 'vault.md')).stderr).toBe('Removed vault.md.\n');
    const gone = await run('sources', 'remove', 'vault.md');
    expect(gone.code).not.toBe(0);
    expect(gone.stderr).toContain('There is no source "vault.md"');
  });

  it('ask for a server where only one has collections', async () => {
    const alone = await runCli(['ask', 'Anything?', '--collection', 'Vault'], { DATA_DIR: join(folder, 'alone') });
    expect(alone.code).not.toBe(0);
    expect(alone.stderr).toContain('expected a server');
    expect((await runCli(['collections', 'list'], {})).stderr).toContain('--server');
  });
});
