/** The folder of the server's files: made where it is missing, refused in one sentence where it cannot be had. */
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/config.ts';
import { makeDataFolder } from '../../src/base/data-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder();

describe('the data folder', () => {
  it('is created with those above it, for its owner alone, and taken as it is the next time', () => {
    const folder = join(root, 'a/b/c');
    makeDataFolder(folder);
    makeDataFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is refused where a file is in its place or above it', () => {
    writeFileSync(join(root, 'file'), '');
    for (const path of ['file', 'file/below']) {
      expect(() => makeDataFolder(join(root, path))).toThrow(ConfigError);
      expect(() => makeDataFolder(join(root, path))).toThrow(/^DATA_DIR: expected a folder .*a file is in its place/);
    }
  });

  it.runIf(process.platform === 'linux')('is refused where the system takes no folders, and the attempt ends', () => {
    expect(() => makeDataFolder('/proc/citewire/data')).toThrow(/^DATA_DIR: .*\/proc\/citewire/);
  });

  it.skipIf(process.getuid?.() === 0)('is refused where it is not writable', () => {
    const folder = join(root, 'read-only');
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    expect(() => makeDataFolder(folder)).toThrow(/^DATA_DIR: .*EACCES/);
  });
});
