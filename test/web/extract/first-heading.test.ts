/** The title of a page that is Markdown: its first heading of the first level. */
import { expect, it } from 'vitest';
import { extractMarkdown } from '../../../src/web/extract/extract-plain.ts';

it.each([
  ['# Harbour', 'Harbour'],
  ['Before it.\n\n#  The harbour fee \n\n# Another', 'The harbour fee'],
  ['# The harbour fee ##\n\nText', 'The harbour fee'],
  ['# The harbour fee ##  \n\nText', 'The harbour fee'],
  ['# C# and F#\n', 'C# and F'],
  ['# #\n', '#'],
  ['#Harbour\n\n## Fees\n', ''],
  ['#\n\nText', ''],
  [`# a${' '.repeat(200_000)}x\n\nText`, 'a x'],
])('is found in %j', (text, title) => {
  expect(extractMarkdown(text).title).toBe(title);
});
