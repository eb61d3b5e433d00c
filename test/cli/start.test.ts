/** How the command starts in a clone: from a bundle of its sources that it creates. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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
