/** `citewire design` in a shell: through a running server, and directly on the store. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectedAnswer, whoDesigned } from '../support/design.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { startTestApp, type TestApp, testPages } from '../support/start-app.ts';

const input = ['--input', 'building=Heron Point Lighthouse'];
let folder: string;
let app: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'citewire-design-'));
  app = await startTestApp();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const file = async (name: string, content: unknown) => {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

describe.each(['through a server', 'on its own'])('citewire design, %s', (way) => {
  let env: Record<string, string>;
  let where: string[];
  beforeAll(async () => {
    if (way === 'on its own') {
      env = { DATA_DIR: join(folder, 'alone') };
      where = [];
      await runCli(['index', testPages], env);
      await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'me'], env);
    } else {
      env = { CITEWIRE_KEY: (await app.accounts.createKey({ name: 'me', plan: 'pro' })).plaintext };
      where = ['--server', app.url];
    }
  });
  const design = (...args: string[]) => runCli(['design', ...args, ...where], env);

  it('imports, exports, publishes, runs, lists and deletes a design', async () => {
    const stub = way === 'on its own' ? 'alone' : 'served';
    const first = { ...whoDesigned, api_stub: stub, effort: 'fast', max: { pages: 3 } };
    const made = await design('import', await file('design.json', first));
    expect([made.code, made.stdout, made.stderr]).toEqual([
      0,
      expect.stringMatching(/^api_[\w-]{22}\n$/),
      expect.any(String),
    ]);
    const exported = await design('export', stub);
    expect(JSON.parse(exported.stdout)).toEqual(first);
    const published = await design('publish', stub);
    expect([published.code, published.stdout]).toEqual([0, `${stub}/v1\n`]);
    expect(published.stderr).toContain('answered');

    const changed = { ...whoDesigned, api_stub: stub, description: undefined, output_format: { engineer: 'string' } };
    expect((await design('import', await file('changed.json', changed))).stdout).toBe(made.stdout);
    const drafted = await design('run', stub, ...input, '--json');
    expect([drafted.code, JSON.parse(drafted.stdout)]).toEqual([0, { engineer: expectedAnswer.designer }]);
    await design('publish', stub);
    const pinned = await design('run', stub, ...input, '--version', 'v1', '--json');
    expect(JSON.parse(pinned.stdout)).toEqual(expectedAnswer);
    expect((await design('export', stub, '--version', '1')).stdout).toBe(exported.stdout);

    const versions = await design('versions', stub);
    expect(versions.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([`${stub}/v2`, `${stub}/v1`, '']);
    const list = await design('list');
    expect(list.stdout).toContain(`${made.stdout.trim()}\t${stub}\tWho designed it\t`);
    expect(list.stdout).toContain('published v2');
    expect((await design('browse', stub, 'DESIGNED')).stdout).toBe(`${stub}/v2\tWho designed it\tby me\n`);
    expect((await design('restore', stub, '1')).stdout).toBe(made.stdout);
    expect((await design('export', stub)).stdout).toBe(exported.stdout);
    expect(await design('retire', stub, 'v2')).toMatchObject({ code: 0, stdout: `${stub}/v2\n` });
    expect((await design('browse', stub)).stdout).toBe(
      `${stub}/v1\tWho designed it\tby me\t${whoDesigned.description ?? ''}`.trimEnd().concat('\n'),
    );
    expect((await design('versions', stub)).stdout).toMatch(/v2\t.*\tretired\n/);
    expect((await design('delete', stub)).code).toBe(0);
    expect((await design('retire', stub, '2', '--undo')).stderr).toBe(`Version 2 of ${stub} is offered.\n`);
    expect(await design('retire', stub, '3')).toMatchObject({ code: 1, stderr: expect.stringContaining('version 3') });
    const still = await design('run', stub, ...input, '--json');
    expect(JSON.parse(still.stdout)).toEqual({ engineer: expectedAnswer.designer });
  }, 200_000);

  it('reports each error of a design on a separate line and exits with 2', async () => {
    const broken = await design(
      'import',
      await file('broken.json', { ...whoDesigned, prompt: 'Who made the {{tower}}?' }),
    );
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    expect(broken.stderr).toMatch(/^citewire: prompt: .*\{\{tower\}\}\ninputs\.building: .*\n$/);
    await design('import', await file('typed.json', { ...whoDesigned, api_stub: 'typed' }));
    const wrong = await design('run', 'typed', '--input', 'town=Varnholm');
    expect(wrong.stderr).toMatch(/building: expected a string; got nothing\n.*town: expected no field/);
    expect(await design('run', 'typed', '--input', 'what')).toMatchObject({
      code: 2,
      stderr: 'citewire: Expected --input name=value; got "what".\n',
    });
    const unknown = await design('publish', 'no-such-design');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('no-such-design') });
  });
});

describe('citewire design on its own', () => {
  it('requires --account when there is not exactly one account', async () => {
    const env = { DATA_DIR: join(folder, 'accounts') };
    expect(await runCli(['design', 'list'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('citewire accounts create'),
    });
    const ids = [];
    for (const name of ['one', 'two']) {
      const { stdout } = await runCli(['accounts', 'create', '--plan', 'pro', '--name', name], env);
      ids.push(stdout.trim());
    }
    expect((await runCli(['design', 'list'], env)).stderr).toContain(ids[1]);
    expect(await runCli(['design', 'list', '--account', ids[1]!], env)).toMatchObject({ code: 0, stdout: '' });
    expect((await runCli(['design', 'run', 'any', '--version', 'x'], env)).code).toBe(2);
  });
});
