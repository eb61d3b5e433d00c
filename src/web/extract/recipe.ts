/**
 * Which way of extracting text this is: a hash of this folder, of the learned weights and the code that turns bytes into
 * text. A page that was read by another recipe is read anew, so nobody needs to remember to raise a number. Not in it is
 * how a forest is evaluated (boosted-trees.ts): another way of that comes with other weights.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Read once, when the reader is loaded: a few hundred kilobytes. */
export const recipe = recipeOf(import.meta.dirname);

/** 16 hex digits: the names and contents of a folder's files, whatever order they are listed in. */
export function recipeOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    const content = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    hash.update(`${name}\n${content}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
