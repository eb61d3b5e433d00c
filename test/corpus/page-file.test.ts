/** Files of a folder as pages: their text, title and date. */
import { describe, expect, it } from 'vitest';
import { dateOf, decodeText, titleOf } from '../../src/corpus/index/page-file.ts';

describe('the text of a file', () => {
  it('stays UTF-8 where one byte is broken, and is that of Windows where most are', () => {
    const broken = Buffer.concat([
      Buffer.from('Müller wohnt in Köln, Bäcker in Zürich. '),
      Buffer.from([0xe4]),
      Buffer.from(' Ende'),
    ]);
    expect(decodeText(broken)).toBe('Müller wohnt in Köln, Bäcker in Zürich. \ufffd Ende');
    expect(decodeText(Buffer.from('Gr\xfc\xdfe', 'latin1'))).toBe('Grüße');
    expect(decodeText(Buffer.from('\ufeffzwei', 'utf16le'))).toBe('zwei');
    expect(decodeText(Buffer.from([0x61, 0, 0x62]))).toBeUndefined();
  });

  it('has a new line where a page or a line of a word processor ends', () => {
    expect(decodeText(Buffer.from('one\vtwo\fthree'))).toBe('one\ntwo\nthree');
  });

  it('is without characters that nobody sees', () => {
    expect(decodeText(Buffer.from('pay\u200b \u{e0041}\u{e0042}\u202enow\r\n'))).toBe('pay now\n');
  });
});

describe('the title of a file', () => {
  it('is its first heading of level 1, in any place, and no heading of a part', () => {
    expect(titleOf('## Tasks\n\nBuy bread.\n', '2026-11-14')).toBe('2026-11-14');
    expect(titleOf('Agenda\n------\n\nMoney.\n', 'board')).toBe('board');
    expect(titleOf('Some words.\n\n# Bread\n\n## Flour\n', 'x')).toBe('Bread');
    expect(titleOf('---\ntitle: "Rye"\n---\n# Bread\n', 'x')).toBe('Rye');
  });
});

describe('the front matter of a file', () => {
  it.each([
    ['title: Rye', 'Rye'],
    ['Title: Rye', 'Rye'],
    ['title: "Rye" # a draft', 'Rye'],
    ["title: 'Ann''s rye'", "Ann's rye"],
    ['title: "The \\"old\\" rye"', 'The "old" rye'],
    ['title: Rye # a draft', 'Rye'],
    ['title: C# for bakers', 'C# for bakers'],
    ['title: >\n  Rye and\n  spelt\nauthor: Ann', 'Rye and spelt'],
    ['title: |-\n  Rye\nauthor: Ann', 'Rye'],
    ['title: #none\nauthor: Ann', 'x'],
    ['title:\n  - Rye', 'x'],
    ['subtitle: Rye', 'x'],
  ])('has its title as YAML means it: %j', (settings, title) => {
    expect(titleOf(`---\n${settings}\n---\nSome words.\n`, 'x')).toBe(title);
  });

  it('may end with the file', () => {
    expect(titleOf('---\ntitle: Rye\ndate: 2024-05-03 # draft\n---', 'x')).toBe('Rye');
    expect(dateOf('---\ntitle: Rye\ndate: 2024-05-03 # draft\n---')).toBe('2024-05-03');
  });
});

describe('the date of a file', () => {
  it.each([
    ['2024-05-03', '2024-05-03'],
    ['"2024-05-03"', '2024-05-03'],
    ['2024-05-03T10:00:00+02:00', '2024-05-03T08:00:00.000Z'],
    ['2024-05-03 10:00 in spring', '2024-05-03'],
    ['2024-99-03', undefined],
    ['soon', undefined],
  ])('is that of its front matter, %s', (date, expected) => {
    expect(dateOf(`---\ndate: ${date}\n---\n# Bread\n`)).toBe(expected);
  });

  it('is none without front matter', () => {
    expect(dateOf('date: 2024-05-03\n')).toBeUndefined();
  });
});
