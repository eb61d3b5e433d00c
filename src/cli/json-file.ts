/** JSON files given as arguments. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../base/errors.ts';

/** The parsed content. Throws `validation_error` for invalid JSON; rejects when the file cannot be read. */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('validation_error', `${file}: expected JSON; ${(error as Error).message}`);
  }
}
