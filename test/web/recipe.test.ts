/** What text a page gives depends on the code and the weights; a cached page that other ones read is not shown as theirs. */
import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recipe, recipeOf } from '../../src/web/extract/recipe.ts';
import { createMemoryCache } from '../../src/web/page-cache.ts';
import { createReader } from '../../src/web/reader.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serveSite } from './serve.ts';

const folder = fileURLToPath(new URL('../../src/web/extract', import.meta.url));

const copies = temporaryFolder();
let count = 0;

async function copyOfFolder(): Promise<string> {
  const copy = join(copies, String((count += 1)));
  await cp(folder, copy, { recursive: true });
  return copy;
}

describe('the recipe', () => {
  it('is that of the folder of the extraction, wherever it lies', async () => {
    const copy = await copyOfFolder();
    expect(recipe).toMatch(/^[0-9a-f]{16}$/);
    expect(recipeOf(copy)).toBe(recipe);
  });

  it('changes with every file, code and weights, and with its name', async () => {
    const copy = await copyOfFolder();
    const seen = new Set([recipe]);
    const names = await readdir(copy);
    expect(names).toEqual(expect.arrayContaining(['choose.ts', 'markdown.ts', 'weights.json']));
    for (const name of names) {
      const file = join(copy, name);
      await writeFile(file, `${await readFile(file, 'utf8')} `);
      seen.add(recipeOf(copy));
    }
    await rename(join(copy, 'markdown.ts'), join(copy, 'markup.ts'));
    seen.add(recipeOf(copy));
    expect(seen.size).toBe(names.length + 2);
  });

  it('of a cached page decides whether it is shown or read anew', async () => {
    let asked = 0;
    const site = await serveSite((_, response) => {
      asked += 1;
      response.setHeader('content-type', 'text/html').end('<p>A page that does not change while it is looked at.</p>');
    });
    const cache = createMemoryCache();
    const reader = createReader({ allowHosts: [`127.0.0.1:${site.port}`], cache });
    const read = () => reader.read(`${site.base}/page`, {}, AbortSignal.timeout(20_000));
    await read();
    const held = (await cache.get(`${site.base}/page`))!;
    expect(held.recipe).toBe(recipe);
    expect((await read()).info.from_cache).toBe(true);
    await cache.put(`${site.base}/page`, { ...held, recipe: '1' });
    expect((await read()).info.from_cache).toBe(false);
    expect(asked).toBe(2);
    expect((await cache.get(`${site.base}/page`))!.recipe).toBe(recipe);
    await Promise.all([reader.close(), site.close()]);
  });
});
