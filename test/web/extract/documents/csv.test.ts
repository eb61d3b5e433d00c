/** Tables of separated values, as programs, banks and people write them. */
import { describe, expect, it } from 'vitest';
import { extractCsv } from '../../../../src/web/extract/documents/extract-csv.ts';

const read = (...lines: readonly string[]) => extractCsv(lines.join('\n')).text.split('\n\n');
const table = (head: string, ...rows: readonly string[]) =>
  [head, head.replace(/[^|]+/g, ' --- '), ...rows].map((line) => `|${line}|`).join('\n');

describe('a table of separated values', () => {
  it.each([',', ';', '\t', '|'])('is divided by "%s"', (sign) => {
    expect(read(`Name${sign}City`, `Ann${sign}Rome`)).toEqual([table(' Name | City ', ' Ann | Rome ')]);
  });

  it('may have blanks beside its quotation marks', () => {
    expect(
      read('Crane, Says', 'North, "40 t, with cable"', 'South , "5 t" , x', 'East, 7" pipe', 'West, " a" b'),
    ).toEqual([
      table(
        ' Crane | Says |  ',
        ' North | 40 t, with cable |  ',
        ' South | 5 t | x ',
        ' East | 7" pipe |  ',
        ' West | " a" b |  ',
      ),
    ]);
  });

  it('has the lines above it as text, whatever their signs', () => {
    expect(
      read('Umsätze, alle', '', 'Buchung;Wer;Betrag', '01.11.2026;REWE;-12,34', '02.11.2026;"Miete; Nov";-1.200,00'),
    ).toEqual([
      'Umsätze, alle',
      table(' Buchung | Wer | Betrag ', ' 01.11.2026 | REWE | -12,34 ', ' 02.11.2026 | Miete; Nov | -1.200,00 '),
    ]);
    expect(
      read(
        '"Girokonto";"DE12345"',
        '""',
        '"Kontostand:";"1.234,56 EUR"',
        '""',
        '"Tag";"Wer";"Zweck";"Betrag"',
        '"01.11.2026";"REWE";"Einkauf";"-12,34"',
        '"02.11.2026";"Ada";"";""',
        '"03.11.2026";"Ben";"Miete";"-1.200,00"',
      ),
    ).toEqual([
      'Girokonto DE12345',
      'Kontostand: 1.234,56 EUR',
      table(
        ' Tag | Wer | Zweck | Betrag ',
        ' 01.11.2026 | REWE | Einkauf | -12,34 ',
        ' 02.11.2026 | Ada |  |  ',
        ' 03.11.2026 | Ben | Miete | -1.200,00 ',
      ),
    ]);
  });

  it('is divided by what its first line says, which is no row', () => {
    expect(read('sep=;', 'Name;Stadt', 'Ann;Köln, Süd')).toEqual([table(' Name | Stadt ', ' Ann | Köln, Süd ')]);
  });

  it('is one column where commas only divide names, and decimals divide nothing', () => {
    expect(read('Name', 'Vogel, Ada', 'Doe, Jane')).toEqual([table(' Name ', ' Vogel, Ada ', ' Doe, Jane ')]);
    expect(read('1,5;2,5', '3,5;4,5')).toEqual([table(' 1,5 | 2,5 ', ' 3,5 | 4,5 ')]);
    expect(read('1,2,3', '4,5,6')).toEqual([table(' 1 | 2 | 3 ', ' 4 | 5 | 6 ')]);
  });

  it('has rows that end as on an old Mac or on Windows', () => {
    for (const end of ['\r', '\r\n', '\n'])
      expect(extractCsv(['Name,City', 'Ann,Rome', '"B\r\nob",Oslo'].join(end)).text).toBe(
        table(' Name | City ', ' Ann | Rome ', ' B ob | Oslo '),
      );
  });

  it('takes a quotation mark that does not end for a sign, and keeps cells of several lines', () => {
    expect(read('Track\tTitle', '1\t"Heroes', '2\tSpace "Oddity"', '3\t"Ash\nto ""Ashes"""')).toEqual([
      table(' Track | Title ', ' 1 | "Heroes ', ' 2 | Space "Oddity" ', ' 3 | Ash to "Ashes" '),
    ]);
    expect(read('a,b', '"5,x', '"6",y')).toEqual([table(' a | b ', ' "5 | x ', ' 6 | y ')]);
  });

  it.each(['"x\n', '"x""\n', '""x\n', '"""x\n', '"x,'])('is read in time in proportion to its length: %j', (part) => {
    const begun = performance.now();
    extractCsv(part.repeat(400_000));
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
