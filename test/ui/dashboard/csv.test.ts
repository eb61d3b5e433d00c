/** Cells of the export, which spreadsheets must not take for formulas. */
import { expect, it } from 'vitest';
import { writeCsv } from '../../../src/ui/dashboard/searches/csv.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  ['=HYPERLINK("http://a";"b")', `"'=HYPERLINK(""http://a"";""b"")"`],
  ['a, "b"\nc', '"a, ""b""\nc"'],
  ['What is 1=1?', 'What is 1=1?'],
])('writes %j as a cell that no spreadsheet takes for a formula', (text, cell) => {
  expect(writeCsv([[text, 12, undefined]])).toBe(`\uFEFF${cell},12,\r\n`);
});
