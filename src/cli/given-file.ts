/** Files given as arguments. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../base/errors.ts';
import { reasonOf } from '../corpus/ingest/list-files.ts';

/** The bytes of the file. Throws `validation_error` with one sentence when it cannot be read. */
export async function readGivenFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
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
