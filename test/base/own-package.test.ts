/** The name of the command in messages that can be copied. */
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { commandName, nameInShell } from '../../src/base/own-package.ts';

const path = (...folders: string[]) => folders.join(delimiter);
const local = join('/app', 'node_modules', '.bin');

it.each([
  ['a global installation', '/usr/local/bin/citewire', path('/usr/local/bin', '/usr/bin'), 'citewire'],
  ['the image', '/app/bin/citewire', path('/app/bin', '/usr/bin'), 'citewire'],
  ['a local installation, started by npx', join(local, 'citewire'), path(local, '/usr/bin'), 'npx citewire'],
  ['a file that node was given', '/usr/bin/citewire.js', path('/usr/bin'), 'npx citewire'],
  ['a folder that is not on the PATH', '/opt/bin/citewire', path('/usr/bin'), 'npx citewire'],
  ['nothing known', undefined, undefined, 'npx citewire'],
])('is the one that the shell finds in %s', (_, program, folders, expected) => {
  expect(nameInShell(program, folders)).toBe(expected);
});

it('is that of npm in a clone', () => {
  expect(commandName).toBe('npm run -s citewire --');
});
