/** How the command starts in a clone: from a bundle of its sources that it creates. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let clone: string;

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'citewire-clone-'));
  for (const name of ['package.json', 'protocol', 'src', 'tools']) {
    await cp(join(root, name), join(clone, name), { recursive: true });
  }
  await mkdir(join(clone, 'node_modules'));
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '.cache') await symlink(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  }
});
afterEach(() => rm(clone, { recursive: true }));

describe('the command in a clone', () => {
  it('starts from its bundle until a source changes', async () => {
    expect((await citewire('--help')).stdout).toContain('Researches questions');
    const [first, ...others] = await bundles();
    expect(others).toEqual([]);
    const made = join(clone, 'node_modules/.cache/citewire', first!, 'src/app/cli.js');
    await writeFile(made, (await readFile(made, 'utf8')).replace('Researches questions', 'From the bundle'));
    expect((await citewire('--help')).stdout).toContain('From the bundle');

    const source = join(clone, 'src/cli/commands/program.ts');
    await writeFile(source, (await readFile(source, 'utf8')).replace('Researches questions', 'Looks things up'));
    expect((await citewire('--help')).stdout).toContain('Looks things up');
    expect(await bundles()).toHaveLength(2);
  });

  it('creates one bundle when it is started several times simultaneously', async () => {
    const all = await Promise.all(Array.from({ length: 3 }, () => citewire('--help')));
    for (const { stdout, stderr } of all) {
      expect(stdout).toContain('Researches questions');
      expect(stderr).toBe('');
    }
    expect(await bundles()).toHaveLength(1);
  });

  it('keeps the bundles that processes run from, however old, and removes the oldest others', async () => {
    const cache = join(clone, 'node_modules/.cache/citewire');
    const names = Array.from({ length: 14 }, (_, at) => `old${String(at).padStart(2, '0')}`);
    for (const [at, name] of names.entries()) {
      await mkdir(join(cache, name), { recursive: true });
      if (at === 0) await writeFile(join(cache, name, `running.${process.pid}`), '');
      // No process has this id.
      if (at === 1) await writeFile(join(cache, name, 'running.4194999'), '');
      const second = 1_000_000 + at;
      await utimes(join(cache, name), second, second);
    }
    await citewire('--help');
    const kept = (await bundles()).filter((name) => name.startsWith('old'));
    expect(kept.sort()).toEqual(names.filter((_, at) => at !== 1 && at !== 2));
  });

  it('says in its bundle that a server runs from it, until that ends', async () => {
    const env = { ...process.env, DATA_DIR: join(clone, 'data'), PORT: '0', MEDIAWIKI_URL: 'off' };
    const server = spawn(process.execPath, [join(clone, 'tools/start.js'), 'serve'], { cwd: tmpdir(), env });
    const marks = async () => {
      const [folder] = await bundles().catch(() => []);
      if (folder === undefined) return [];
      const names = await readdir(join(clone, 'node_modules/.cache/citewire', folder)).catch(() => []);
      return names.filter((name) => name.startsWith('running.'));
    };
    await expect.poll(marks).toEqual([`running.${server.pid}`]);
    const ended = once(server, 'exit');
    await once(server.stdout, 'data');
    server.kill('SIGTERM');
    await ended;
    expect(await marks()).toEqual([]);
  });

  it('finds its worker threads, the index and its SQL from the bundle', async () => {
    const page = join(clone, 'page');
    await mkdir(page);
    await writeFile(join(page, 'heron.md'), '# Heron Point\n\nThe Heron Point Lighthouse was designed by Ada Quill.\n');
    const env = { DATA_DIR: join(clone, 'data'), MEDIAWIKI_URL: 'off' };
    await writeFile(
      join(page, 'tern.html'),
      '<title>Tern Rock</title><p>Bo Lind built the lighthouse of Tern Rock.</p>',
    );
    const { stdout: indexed } = await citewire('index', page, env);
    expect(indexed).toMatch(/^2 added.* 0 failed$/m);
    const { stdout } = await citewire('ask', 'Who designed the Heron Point Lighthouse?', env);
    expect(stdout).toContain('Ada Quill');
  });

  it('names the sources in stack traces', async () => {
    const source = join(clone, 'src/cli/commands/program.ts');
    const text = await readFile(source, 'utf8');
    await writeFile(source, `${text}\nthrow new Error('thrown on purpose');\n`);
    const { stderr } = (await citewire('--help').catch((error) => error)) as { stderr: string };
    expect(stderr).toContain('Error: thrown on purpose');
    expect(stderr).toContain(`at ${source}:${text.split('\n').length + 1}:`);
  });

  it('runs from its sources, with a warning, where no bundle can be written', async () => {
    await writeFile(join(clone, 'node_modules/.cache'), 'no folder');
    const { stdout, stderr } = await citewire('--help');
    expect(stdout).toContain('Researches questions');
    expect(stderr).toContain('starts slowly');
  });

  it('names the command that installs what an update of the clone has added', async () => {
    await rm(join(clone, 'node_modules/preact'));
    const { stdout, stderr } = await citewire('--help');
    expect(stdout).toContain('Researches questions');
    expect(stderr).toMatch(/^citewire: starts slowly, .* \(preact\S* is not installed: run `npm ci`\)\n$/);
  });

  it('names the command that installs what it is built with, where only what it runs with is installed', async () => {
    await rm(join(clone, 'node_modules/tsx'));
    const failed = await citewire('--help').catch((error: { code: number; stderr: string }) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('`npm ci --include=dev`') });
  });

  function citewire(...args: (string | Record<string, string>)[]) {
    const words = args.filter((each): each is string => typeof each === 'string');
    const env = Object.assign({ PATH: process.env.PATH }, ...args.filter((each) => typeof each !== 'string'));
    return promisify(execFile)(process.execPath, [join(clone, 'tools/start.js'), ...words], { cwd: tmpdir(), env });
  }
});

function bundles(): Promise<string[]> {
  return readdir(join(clone, 'node_modules/.cache/citewire'));
}
