import { describe, expect, it } from 'vitest';
import { symbolNamesIn, symbolOfWord, wordOfSymbol } from '../../../../src/base/text/names/symbol-names.ts';

describe('names without letters', () => {
  it.each([
    ['What does $? do in Bash?', ['$?']],
    ['What is $@?', ['$@']],
    ['What is $??', ['$?']],
    ['What does "!!" do?', ['!!']],
    ['What is !!?', ['!!']],
    ['What does [[ … ]] do?', ['[[']],
    ['What is ((…)) for?', ['((']],
    ['What does 2>&1 mean?', ['2>&1']],
    ['What is `%`?', ['%']],
    ['the operators `||`, `->>` and `<>`', ['||', '->>', '<>']],
    ['($?) Expands to the exit status.', ['$?']],
    ['($-, a hyphen.) Expands to the flags.', ['$-']],
    ['**$\\***', ['$*']],
    ['`[[ expression ]]`', ['[[']],
  ])('are found in %s', (text, names) => {
    expect(symbolNamesIn(text)).toEqual(names);
  });

  it.each([
    'Is it open on Sundays?',
    'Wait -- what?!',
    'Quelle heure est-il ?',
    'Attention !!!',
    'Bed & breakfast, $50 (or 45 €) a night; 10:30 – 11:00 :-)',
    '## Heading\n\n| a | b |\n|---|:-:|\n\n***\n\nA == B ... C',
    'Questions & answers / FAQ',
    'We <3 crates for >5 people',
  ])('are not the punctuation of %j', (text) => {
    expect(symbolNamesIn(text)).toEqual([]);
  });

  it('have a word each that no other text has', () => {
    for (const name of ['$?', '!!', '[[', '2>&1']) {
      const word = wordOfSymbol(name);
      expect(word).toMatch(/^[a-z0-9]+$/);
      expect(symbolOfWord(word)).toBe(name);
    }
    expect(symbolOfWord('symbol')).toBeUndefined();
  });

  it.each(['$', '`', '(', '*', '!?', '[['])('are found at once in a million times %j', (piece) => {
    expect(symbolNamesIn(piece.repeat(1_000_000)).length).toBeLessThan(2);
    expect(symbolNamesIn(`${piece} `.repeat(300_000)).length).toBeLessThan(3);
  });
});
