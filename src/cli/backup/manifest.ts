/** The manifest of a backup: which files it has, with their checksums. It is written last, so that a backup with it is whole. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';

/** The files of a data folder that a backup has, in the order in which they are restored. */
export const databaseFiles = ['index.db', 'citewire.db'] as const;
export type DatabaseFile = (typeof databaseFiles)[number];

const Manifest = z.object({
  format: z.literal(1),
  /** The version of the program that made it. */
  version: z.string(),
  created_at: z.string(),
  files: z.array(z.object({ name: z.enum(databaseFiles), bytes: z.number(), sha256: z.string() })).min(1),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestName = 'manifest.json';
/** Ends the names of files of a backup that is not complete. */
export const partialSuffix = '.partial';
/** A file in the folder of a backup while it is being written; it stays if that is interrupted. */
export const unfinishedName = `unfinished${partialSuffix}`;

/**
 * Writes the checksums of these files to the folder. Like theirs, the name of the manifest is a partial one until the
 * backup is complete.
 */
export async function writeManifest(
  folder: string,
  names: readonly DatabaseFile[],
  version: string,
): Promise<Manifest> {
  const files = [];
  for (const name of names) {
    const path = join(folder, name + partialSuffix);
    files.push({ name, bytes: statSync(path).size, sha256: await checksumOf(path) });
  }
  const manifest: Manifest = { format: 1, version, created_at: new Date().toISOString(), files };
  // The copies are on the disk already: SQLite has seen to it.
  const path = join(folder, manifestName + partialSuffix);
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  return manifest;
}

/** The manifest of a backup whose files are all as they were written. Rejects with one sentence if it is not such a folder. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  for (const { name, bytes, sha256 } of manifest.files) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false })?.size;
    if (found !== bytes)
      throw new Error(`${path}: expected ${bytes} bytes; got ${found ?? 'no file'}. Nothing was restored.`);
    if ((await checksumOf(path)) !== sha256) {
      throw new Error(`${path} has changed since the backup: its checksum differs. Nothing was restored.`);
    }
  }
  return manifest;
}

function readManifest(folder: string): Manifest {
  const path = join(folder, manifestName);
  try {
    return Manifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const isUnfinished = existsSync(join(folder, unfinishedName));
    const why = isUnfinished
      ? 'which was interrupted, or is still being written'
      : error instanceof z.ZodError
        ? 'it is not one that this version can read'
        : (error as Error).message;
    throw new Error(`Expected the folder of a backup, which has a ${manifestName}; got ${folder} (${why}).`);
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
