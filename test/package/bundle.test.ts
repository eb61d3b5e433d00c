/** What the threads of a server load: the bundle that this run of the tests has made. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleVariable } from '../support/processes/run-script.ts';

/** None while vitest watches the sources. */
const folder = process.env[bundleVariable];

describe.skipIf(folder === undefined)('the bundle', () => {
  it('has only characters of one byte, so that no thread keeps the text of a file with two bytes for each', () => {
    const wide = readdirSync(folder!).filter((name) => name.endsWith('.js') && /[^\0-\xff]/.test(textOf(name)));
    expect(wide).toEqual([]);
  });

  it.each(['read-worker.js', 'write-worker.js'])('has no settings in what %s loads', (worker) => {
    const loaded = loadedBy(worker);
    expect(loaded.some((text) => text.includes('openDatabase'))).toBe(true);
    expect(loaded.some((text) => text.includes('$ZodType'))).toBe(false);
  });

  it('has the English texts of zod alone', () => {
    const all = readdirSync(folder!)
      .filter((name) => name.endsWith('.js'))
      .map(textOf);
    expect(all.some((text) => text.includes('Invalid input: expected'))).toBe(true);
    expect(all.some((text) => text.includes('Ungültige Eingabe: erwartet'))).toBe(false);
  });
});

function textOf(name: string): string {
  return readFileSync(join(folder!, name), 'utf8');
}

/** The texts of a file and of all that it imports. */
function loadedBy(name: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const text = textOf(name);
  const imported = [...text.matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)].map(([, file]) => file!);
  return [text, ...imported.flatMap((file) => loadedBy(file, seen))];
}
