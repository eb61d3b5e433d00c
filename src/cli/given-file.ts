/** Files and folders given as arguments. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callersFolder } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { reasonOf } from '../corpus/ingest/file-reasons.ts';
import { type IndexSource, parseIndexSource } from '../corpus/ingest/index-source.ts';

/** The absolute path that an argument means, seen from where the command was given. */
export function givenPath(path: string): string {
  return resolve(callersFolder(), path);
}

/** The source that an argument means: an http(s) URL, else a folder. */
export function givenSource(text: string): IndexSource {
  const source = parseIndexSource(text);
  return source.kind === 'folder' ? { ...source, path: givenPath(text) } : source;
}

/** The bytes of the file. Throws `validation_error` with one sentence when it cannot be read. */
export async function readGivenFile(file: string): Promise<Buffer> {
  try {
    return await readFile(givenPath(file));
  } catch (error) {
    throw new AppError('validation_error', `${file}: expected a file; ${reasonOf(error)}`);
  }
}

/** The parsed content. Throws `validation_error` for invalid JSON, and for a file that cannot be read. */
export async function readJsonFile(file: string): Promise<unknown> {
  // Editors of Windows put a byte order mark first, which JSON has no place for.
  const text = (await readGivenFile(file)).toString('utf8').replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('validation_error', `${file}: expected JSON; ${(error as Error).message.replace(/\s+/g, ' ')}`);
  }
}
