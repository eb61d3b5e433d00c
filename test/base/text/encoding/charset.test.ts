/** Bytes of pages and files as text, in the charset that they are in. */
import { describe, expect, it } from 'vitest';
import { decodeText, decodeUndeclared } from '../../../../src/base/text/encoding/charset.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
/** "€15 – “cheap” Œuvre" */
const windows = latin('\x8015 \x96 \x93cheap\x94 \x8cuvre');

describe('windows-1252', () => {
  it.each(['', 'text/html; charset=windows-1252', 'text/html; charset=iso-8859-1', 'text/html; charset=us-ascii'])(
    'has quotation marks, dashes and "€" in a page of type %j',
    (contentType) => {
      expect(decodeText(windows, contentType)).toBe('€15 – “cheap” Œuvre');
    },
  );

  it('is not taken for UTF-8 where a word in capitals ends before a quotation mark, or a quotation in French', () => {
    expect(decodeUndeclared(latin('\x84MEN\xdc\x93 und \x84GENIE\xdf\x94'))).toBe('„MENÜ“ und „GENIEß”');
    expect(decodeUndeclared(latin('\xab\xa0au caf\xe9\xa0\xbb \x96 \xdc\x93'))).toBe('«\xa0au café\xa0» – Ü“');
    const saved = '\x84MEN\xdc\x93, «\xa0au café\xa0»';
    expect(decodeUndeclared(Buffer.from(saved))).toBe(saved);
  });

  it('has the marks that were pasted into it as UTF-8', () => {
    const pasted = Buffer.concat([latin('Gr\xfc\xdfe, '), Buffer.from('can’t “go” … 5 €')]);
    expect(decodeText(pasted, 'text/html; charset=iso-8859-1')).toBe('Grüße, can’t “go” … 5 €');
  });
});

describe('UTF-8 that was read as latin-1 and written again', () => {
  it.each([
    'can’t',
    'naïve Straße',
    'ÉCOLE',
    'Dvořák, Łódź',
    'Привет, мир',
    'Καλημέρα',
    '日本語',
    'שלום',
    '5 €',
    'fin 😀',
  ])('is %j', (text) => {
    const mangled = Buffer.from(text).toString('latin1');
    // Only control characters show what happened.
    const expected = /[\x80-\x9f]/.test(mangled) ? text : mangled;
    expect(decodeUndeclared(Buffer.from(mangled))).toBe(expected);
  });
});
