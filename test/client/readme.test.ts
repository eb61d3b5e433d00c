/** The TypeScript programs of the README and of `docs/` are run as they are printed, against a real server. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDesign, publish } from '../support/design.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
let app: TestApp;
let folder: string;
let programs: { readonly page: string; readonly file: string }[];
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
  folder = await mkdtemp(join(tmpdir(), 'citewire-readme-'));
  await publishDocumentedDesign();
  const docs = (await readdir(join(root, 'docs'))).map((name) => `docs/${name}`);
  const found = await Promise.all(['README.md', ...docs].map(programsOf));
  programs = await Promise.all(
    found.flat().map(async ({ page, text }, at) => {
      const file = join(folder, `program-${at}.ts`);
      await writeFile(file, text);
      return { page, file };
    }),
  );
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it('finds one program in the README, and others in docs/', () => {
  const pages = programs.map(({ page }) => page);
  expect(pages.filter((page) => page === 'README.md')).toHaveLength(1);
  expect(pages).toEqual(expect.arrayContaining(['docs/client.md', 'docs/designs.md']));
});

it('runs the program of the README, which prints an answer and its quotes, and exits', async () => {
  const stdout = await outputOf(programs.find(({ page }) => page === 'README.md')!.file);
  const [answer = ''] = stdout.split('\n');
  expect(answer).toMatch(/\S.*\[1\]/);
  const quotes = [...stdout.matchAll(/^\[\d+\] ".+" \S+$/gm)];
  expect(quotes.length).toBeGreaterThan(0);
});

it('runs the programs of docs/, each of which exits without an error', async () => {
  for (const { page, file } of programs.filter(({ page }) => page !== 'README.md')) {
    await expect(outputOf(file), page).resolves.toBeTypeOf('string');
  }
});

it('type-checks every program', async () => {
  const files = programs.map(({ file }) => file);
  const options = { extends: join(root, 'tsconfig.json'), files, include: [] };
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')], rewriteRelativeImportExtensions: false };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, compilerOptions }));
  const tsc = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  await expect(tsc.catch((error) => error.stdout)).resolves.toMatchObject({ stdout: '' });
});

/** The TypeScript blocks of a page that use the client, pointed at the server of this test and at what it has indexed. */
async function programsOf(page: string): Promise<{ page: string; text: string }[]> {
  const blocks = (await readFile(join(root, page), 'utf8')).matchAll(/^```ts\n([\s\S]*?)^```$/gm);
  return [...blocks]
    .map(([, text]) => text!)
    .filter((text) => text.includes("'citewire/client'"))
    .map((text) => ({
      page,
      text: text
        .replace("'citewire/client'", JSON.stringify(join(root, 'src/client/client.ts')))
        .replace('http://127.0.0.1:8080', app.url)
        .replace(/prompt: '[^']*'/, "prompt: 'Who designed the Heron Point Lighthouse?'"),
    }));
}

/** Publishes the design that docs/designs.md creates with curl, which its program then calls. */
async function publishDocumentedDesign(): Promise<void> {
  const [, body] = /\/design-api -H .* -d '(\{[\s\S]*?\})'$/m.exec(
    await readFile(join(root, 'docs/designs.md'), 'utf8'),
  )!;
  const { api_id } = await createDesign(app, JSON.parse(body!));
  await publish(app, api_id);
}

async function outputOf(file: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', KEY: app.key };
  const { stdout } = await run(process.execPath, ['--import', 'tsx', file], { env, cwd: root });
  return stdout;
}
