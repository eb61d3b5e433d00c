/** The README's program is run as it stands, against a real server. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let app: TestApp;
let folder: string;
let program: string;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
  folder = await mkdtemp(join(tmpdir(), 'citewire-readme-'));
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
  const found = blocks.filter((text) => text.includes("'citewire/client'"));
  expect(found.length).toBe(1);
  program = found[0]!
    .replace("'citewire/client'", JSON.stringify(join(root, 'src/client/client.ts')))
    .replace('http://127.0.0.1:8080', app.url)
    .replace(/prompt: '[^']*'/, "prompt: 'Who designed the Heron Point Lighthouse?'");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('the TypeScript of the README', () => {
  it('prints an answer and the quotes behind it, and ends', async () => {
    const file = join(folder, 'readme.mts');
    await writeFile(file, program);
    const env = { PATH: process.env.PATH ?? '', KEY: app.key };
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { env, cwd: root });
    const [answer = ''] = stdout.split('\n');
    expect(answer).toMatch(/\S.*\[1\]/);
    const quotes = [...stdout.matchAll(/^\[\d+\] ".+" \S+$/gm)];
    expect(quotes.length).toBeGreaterThan(0);
  });

  it('has types that hold', async () => {
    await writeFile(join(folder, 'readme.ts'), program);
    const options = { extends: join(root, 'tsconfig.json'), files: ['readme.ts'], include: [] };
    const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')], rewriteRelativeImportExtensions: false };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, compilerOptions }));
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const run = promisify(execFile)(process.execPath, [tsc, '-p', folder]);
    await expect(run.catch((error) => error.stdout)).resolves.toMatchObject({ stdout: '' });
  });
});
