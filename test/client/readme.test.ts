/** The TypeScript programs of the README and of `docs/` are run as they are printed, against a real server. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

const read = (page: string) => readFileSync(join(root, page), 'utf8');
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
const programs = pages.flatMap((page) => programsOf(page).map((text, at) => ({ name: `${page}, ${at + 1}`, text })));
const documented = programs.filter(({ name }) => !name.startsWith('README.md'));

beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
  folder = await mkdtemp(join(tmpdir(), 'citewire-readme-'));
  await publishDocumentedDesign();
  for (const { name, text } of programs) await writeFile(fileOf(name), pointed(text));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it('finds one program in the README, and others in docs/', () => {
  const names = programs.map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('README.md'))).toHaveLength(1);
  expect(names).toEqual(expect.arrayContaining(['docs/client.md, 1', 'docs/designs.md, 1']));
});

it('runs the program of the README, which prints an answer and its quotes, and exits', async () => {
  const stdout = await outputOf('README.md, 1');
  const [answer = ''] = stdout.split('\n');
  expect(answer).toMatch(/\S.*\[1\]/);
  const quotes = [...stdout.matchAll(/^\[\d+\] ".+" \S+$/gm)];
  expect(quotes.length).toBeGreaterThan(0);
});

it.each(documented)('runs a program of docs/, which exits without an error: $name', async ({ name }) => {
  await expect(outputOf(name)).resolves.toBeTypeOf('string');
});

it('type-checks every program', async () => {
  const files = programs.map(({ name }) => fileOf(name));
  const options = { extends: join(root, 'tsconfig.json'), files, include: [] };
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')], rewriteRelativeImportExtensions: false };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, compilerOptions }));
  const tsc = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  await expect(tsc.catch((error) => error.stdout)).resolves.toMatchObject({ stdout: '' });
});

/** The TypeScript blocks of a page that use the client. */
function programsOf(page: string): string[] {
  const blocks = [...read(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
  return blocks.filter((text) => text.includes("'citewire/client'"));
}

/** A program, pointed at the server of this test and at what it has indexed. */
function pointed(text: string): string {
  return text
    .replace("'citewire/client'", JSON.stringify(join(root, 'src/client/client.ts')))
    .replace('http://127.0.0.1:8080', app.url)
    .replace(/prompt: '[^']*'/, "prompt: 'Who designed the Heron Point Lighthouse?'");
}

function fileOf(name: string): string {
  return join(folder, `${name.replace(/\W+/g, '-')}.ts`);
}

/** Publishes the design that docs/designs.md creates with curl, which its program then calls. */
async function publishDocumentedDesign(): Promise<void> {
  const [, body] = /\/design-api -H .* -d '(\{[\s\S]*?\})'$/m.exec(read('docs/designs.md'))!;
  const { api_id } = await createDesign(app, JSON.parse(body!));
  await publish(app, api_id);
}

async function outputOf(name: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', KEY: app.key };
  const { stdout } = await run(process.execPath, ['--import', 'tsx', fileOf(name)], { env, cwd: root });
  return stdout;
}
