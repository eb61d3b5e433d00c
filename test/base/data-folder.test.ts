/** The data folder of the server: created when it is missing, and a clear error when it cannot be used. */
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataFolderRefused, isDiskFull, makeDataFolder } from '../../src/base/data-folder.ts';
import { ConfigError } from '../../src/base/settings/config-error.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder();

describe('the data folder', () => {
  it('creates the data folder with its parents, for its owner only, and accepts an existing one', () => {
    const folder = join(root, 'a/b/c');
    makeDataFolder(folder);
    makeDataFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('refuses a data folder when a file is in its place or above it', () => {
    writeFileSync(join(root, 'file'), '');
    for (const path of ['file', 'file/below']) {
      expect(() => makeDataFolder(join(root, path))).toThrow(ConfigError);
      expect(() => makeDataFolder(join(root, path))).toThrow(/^DATA_DIR: expected a folder .*a file is in its place/);
    }
  });

  it.runIf(process.platform === 'linux')('refuses a data folder where the file system allows none', () => {
    expect(() => makeDataFolder('/proc/citewire/data')).toThrow(/^DATA_DIR: .*\/proc\/citewire/);
  });

  it.skipIf(process.getuid?.() === 0)('refuses a data folder that is not writable', () => {
    const folder = join(root, 'read-only');
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    expect(() => makeDataFolder(folder)).toThrow(/^DATA_DIR: .*permission denied/);
  });

  it('names the folder, and the setting, when the disk is full', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(dataFolderRefused(root, full).message).toBe(
      `DATA_DIR: expected a folder that can be created and written to; got ${root} (the disk is full).`,
    );
  });

  it.each([
    ['has space', { bavail: 1_000, files: 10, ffree: 5 }, false],
    ['has no space', { bavail: 3, files: 10, ffree: 5 }, true],
    ['takes no more files', { bavail: 1_000, files: 10, ffree: 0 }, true],
    ['does not count its files', { bavail: 1_000, files: 0, ffree: 0 }, false],
  ])('is on a disk that %s', (_, space, isFull) => {
    expect(isDiskFull(root, () => ({ bsize: 4_096, ...space }))).toBe(isFull);
    expect(isDiskFull(join(root, 'missing'))).toBe(false);
  });
});
