/** The name of the command in messages that can be copied. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandName, nameInShell } from '../../src/base/own-package.ts';

it.each([
  ['a global installation', '/usr/local/bin/citewire', 'citewire'],
  ['the image', '/app/bin/citewire', 'citewire'],
  ['a local installation', join('/app', 'node_modules', '.bin', 'citewire'), 'npx citewire'],
  ['a package whose file Node was given', '/app/dist/src/app/citewire.js', 'npx citewire'],
  ['a program that is unknown', undefined, 'npx citewire'],
])('is the one that the shell finds in %s', (_, program, expected) => {
  expect(nameInShell(program)).toBe(expected);
});

it('is that of npm in a clone', () => {
  expect(commandName).toBe('npm run -s citewire --');
});
