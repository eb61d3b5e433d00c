/** The documentation of packages, in the order in which it is indexed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownPackage } from '../../../src/base/own-documentation.ts';
import { listPackages } from '../../../src/corpus/ingest/list-packages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function writePackage(at: string, name: string): void {
  write(join(at, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
  write(join(at, 'README.md'), `# ${name}\n`);
}

describe('listPackages', () => {
  it.each([
    ['a checkout', 'checkout', ''],
    ['an installation', 'installation', `node_modules/${ownPackage}`],
  ])('lists this package first in %s', (_, root, own) => {
    writePackage(join(root, own), ownPackage);
    writePackage(join(root, 'node_modules/abacus'), 'abacus');
    writePackage(join(root, 'node_modules/zebra'), 'zebra');
    const { files } = listPackages(join(folder, root, 'node_modules'));
    expect(files.map((file) => file.package)).toEqual([ownPackage, 'abacus', 'zebra']);
  });
});
