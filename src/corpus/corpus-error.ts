/**
 * Failures of the index, each with a sentence for the operator. Worker threads send them as plain records, because
 * structured cloning keeps only the message of an Error.
 */

import { dirname } from 'node:path';
import { isDiskFull } from '../base/data-folder.ts';
import { isDamage } from '../base/sqlite/damage.ts';

const corpusErrorCodes = [
  'corrupt',
  'newer',
  'disk_full',
  'busy',
  'unopenable',
  'unavailable',
  'no_source',
  'removed',
  'over_limit',
  'invalid',
  'closed',
  'internal',
] as const;

export type CorpusErrorCode = (typeof corpusErrorCodes)[number];

export class CorpusError extends Error {
  readonly code: CorpusErrorCode;

  constructor(code: CorpusErrorCode, message: string) {
    super(message);
    this.name = 'CorpusError';
    this.code = code;
  }
}

/**
 * Converts a failure to a CorpusError with the file, SQLite's message and what the operator can do. `isFull` says whether the
 * disk of a folder is full.
 */
export function explainFailure(error: unknown, file: string, isFull = isDiskFull): CorpusError {
  if (error instanceof CorpusError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isDamage(code)) return new CorpusError('corrupt', `The index ${file} is damaged (${message}).`);
  // What it maps into memory, SQLite cannot open or write either while the disk is full.
  if (/^SQLITE_FULL|^ENOSPC/.test(code) || (/^SQLITE_(?:CANTOPEN|IOERR)/.test(code) && isFull(dirname(file))))
    return new CorpusError('disk_full', `The disk with the index ${file} is full; free some space and try again.`);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new CorpusError('busy', `Another process kept the index ${file} locked for too long; try again.`);
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR)/.test(code) || message.includes('directory does not exist'))
    return new CorpusError('unopenable', `The index ${file} cannot be opened for reading and writing (${message}).`);
  return new CorpusError('internal', `The index ${file} failed: ${message}`);
}
