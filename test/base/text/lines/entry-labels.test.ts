import { describe, expect, it } from 'vitest';
import { isEntryLabel } from '../../../../src/base/text/lines/entry-labels.ts';

const below = 'Sets how much memory a query may use.';

describe('the label of an entry', () => {
  it.each([
    '`work_mem` (`integer`)',
    '`-c number` `--connection-limit=number`',
    '`OWNER TO`',
    '--gpg-sign[=\\<keyid>]',
    '-f, --force',
    '-S[\\<keyid>]',
    '**--sign[=\\<keyid>]**',
    'gc.autoDetach',
    'TUNE crate_kind;\nTUNE depot.crate_kind = LIGHT | HEAVY;',
    'TUNE checks(depot)',
    '**bare repository**',
    '**pop [--index] [-q|--quiet] [\\<stash>]**',
    '__Opening hours__:',
  ])('names what the paragraph below it describes: %s', (line) => {
    expect(isEntryLabel(line, below)).toBe(true);
  });

  it.each(['(13) May I use it in a shop?', 'Q: May I use it in a shop?', '**Question 3. May I use it in a shop?**'])(
    'may be a question of a list of questions and answers: %s',
    (line) => {
      expect(isEntryLabel(line, 'Yes.')).toBe(true);
      expect(isEntryLabel(line, '> [Yes](https://law.example), it is in the public domain.')).toBe(true);
      expect(isEntryLabel(line, '(14) May I sell it?')).toBe(false);
      expect(isEntryLabel(line, undefined)).toBe(false);
      expect(isEntryLabel(line.replace('?', '.'), below)).toBe(false);
    },
  );

  it.each([
    ['a sentence with code', 'Use `work_mem` now.', below],
    ['a sentence in bold', '**Do not open the case.**', below],
    ['a figure in bold', '**Price: 40 EUR**', below],
    ['a plain line', 'Opening hours', below],
    ['a line that begins with capitals', 'IBM sells crates', below],
    ['a sentence that begins with capitals', 'NATO takes no crates; nobody does.', below],
    ['a question of its own', 'May I use it in a shop?', below],
    ['a name above quoted code', '`work_mem`', '> ```'],
    ['words that are bold in part', '**Note** on memory', below],
    ['a line that nothing follows', '`work_mem`', undefined],
    ['a line above a list', '`work_mem`', '- one'],
    ['a line above code', '`work_mem`', '```sh'],
    ['a term whose description is a name', '**Architect**', 'Jane Smith'],
    ['a line of many words', `**${'word '.repeat(30)}word**`, below],
  ])('is not %s', (_, line, next) => {
    expect(isEntryLabel(line, next)).toBe(false);
  });

  it.each(['`a` ', '-a, ', 'a.', '-a-', '-a=,', '`a`', '-a <b> ', '** '])(
    'is not a long line of %j, which is seen at once',
    (piece) => {
      expect(isEntryLabel(`${piece.repeat(1_000_000)}!`, below)).toBe(false);
      for (let length = 1; length < 60; length += 1)
        expect(isEntryLabel(`${piece.repeat(length)}!`.slice(-120), below)).toBe(false);
    },
  );
});
