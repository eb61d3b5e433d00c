/** The sheets of a workbook of any program as one extraction. */
import type { Extraction } from '../../extraction.ts';
import { createBlockList } from '../block-list.ts';
import { type DocumentProperties, toExtraction } from '../office-document.ts';
import type { SheetBudget, SheetCells } from './sheet-tables.ts';

export interface Sheet {
  readonly name: string;
  readonly cells: SheetCells;
}

/** The names that programs give to the first sheet in the languages of their users. */
const defaultName =
  /^(?:sheet|tabelle|feuil|feuille|hoja|foglio|blad|planilha|ark|arkusz|list|лист|工作表|シート)[ _]?1?$/iu;

/** The tables of the sheets that have some, below the names of the sheets. A single sheet needs a name only if a person gave it. */
export function sheetsExtraction(
  sheets: readonly Sheet[],
  { properties, extractor, budget }: { properties: DocumentProperties; extractor: string; budget: SheetBudget },
): Extraction {
  const list = createBlockList();
  const filled = sheets.filter(({ cells }) => !cells.isEmpty);
  for (const { name, cells } of filled) {
    const heading = name.replace(/\s+/g, ' ').trim();
    if (heading !== '' && (filled.length > 1 || !defaultName.test(heading))) list.add(`## ${heading}`);
    cells.writeTo(list);
  }
  return toExtraction(list.blocks, properties, { extractor, truncated: budget.truncated || list.truncated });
}
