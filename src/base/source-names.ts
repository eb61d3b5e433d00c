/**
 * The names of sources, and whose they are. A name begins with the account that a source belongs to, if it belongs to one, so
 * what may be read can be decided from a name alone. The address of an uploaded file says whose it is too, without naming the
 * account: it is still only its owner's when the source is gone and an answer that cites it is not.
 */
import { createHash, randomBytes } from 'node:crypto';

/** The owner of what everybody may read, and of the documentation that leaves as soon as there is something else to read. */
export const everybody = '';
export const documentation = 'packages';

/** `src_` and 24 hex digits of the SHA-256 of the name: always the same for the same source of the same owner. */
export function sourceId(name: string): string {
  return `src_${digest(name, 24)}`;
}

/** The account id at the beginning of a name, `everybody` or `documentation`. */
export function ownerOfSource(name: string): string {
  if (name.startsWith('packages:')) return documentation;
  return /^(acc_\w+)\/(?:url|urls|file):/.exec(name)?.[1] ?? everybody;
}

/** Whether a server resumes a source of this name that a process left unfinished; the others only the command line can read again. */
export function isResumed(name: string): boolean {
  return /^(?:(?:acc_\w+\/)?(?:url|file)|folder):/.test(name);
}

/** The name of a source that belongs to an account, or with `everybody` to none. */
export function ownedName(owner: string, name: string): string {
  return owner === everybody ? name : `${owner}/${name}`;
}

/** A new random key of an uploaded file, of 32 hex digits; the second half is made of the first and the owner. */
export function newUploadKey(owner: string): string {
  const random = randomBytes(8).toString('hex');
  return random + digest(`${owner}\n${random}`, 16);
}

/** The address at which an uploaded file is cited; the reserved folder `uploads` is never that of an indexed folder. */
export function uploadAddress(key: string, fileName: string): string {
  return `file:///${uploadsFolder}/${key}/${encodeURIComponent(fileName.toWellFormed())}`;
}

/** The name of the uploaded file at this address; undefined for any other address. */
export function nameOfUpload(address: string): string | undefined {
  const name = /^file:\/\/\/uploads\/[^/]+\/([^/]+)$/.exec(address)?.[1];
  try {
    return name && decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The address of the uploaded file that is stored as this source; undefined for another kind of source. */
export function addressOfUpload(source: string, fileName: string): string | undefined {
  const key = /(?:^|\/)file:([0-9a-f]{32})$/.exec(source)?.[1];
  return key === undefined ? undefined : uploadAddress(key, fileName);
}

export const uploadsFolder = 'uploads';

/**
 * Whether the account may read the page at this address, as far as the address tells: an uploaded file only if it is theirs, or
 * everybody's.
 */
export function mayReadAddress(url: string, account: string): boolean {
  const [, random, check] = /^file:\/\/\/uploads\/([0-9a-f]{16})([0-9a-f]{16})\//.exec(url) ?? [];
  if (random === undefined) return true;
  return [account, everybody].some((owner) => digest(`${owner}\n${random}`, 16) === check);
}

/** What names of collections that only differ in case have in common. */
export function collectionKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
