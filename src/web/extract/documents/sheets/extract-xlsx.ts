/** A workbook of Excel (XLSX, XLSM) as Markdown: the tables of its visible sheets, as a person sees them. */
import type { Extraction } from '../../extraction.ts';
import { coreProperties } from '../office-document.ts';
import { isTrue, localName, readXml } from '../read-xml.ts';
import { readRelationships, relationshipId } from '../relationships.ts';
import type { ZipArchive } from '../zip.ts';
import { readSharedStrings } from './shared-strings.ts';
import { createSheetBudget, createSheetCells, isSpent } from './sheet-tables.ts';
import { type Sheet, sheetsExtraction } from './sheets-extraction.ts';
import { readCellFormats } from './xlsx-formats.ts';
import { readXlsxSheet } from './xlsx-sheet.ts';

/** Set by hand. */
const maxSheets = 500;

/** Reads the sheets of a workbook, whose list is in the part `main`. Throws when its archive is damaged or too large, or a part is nested too deeply. */
export function extractXlsx(archive: ZipArchive, main: string): Extraction {
  const { sheets, from1904 } = readWorkbook(archive.read(main));
  const relationships = readRelationships(archive, main);
  const partOf = (type: string) => [...relationships.values()].find((each) => each.type === type)?.target ?? '';
  const strings = readSharedStrings(archive.readStart(partOf('sharedStrings'))?.content);
  const formats = readCellFormats(archive.read(partOf('styles')), from1904);
  const budget = createSheetBudget();
  const read = sheets.map(({ name, id }): Sheet => {
    const cells = createSheetCells(budget);
    const relationship = relationships.get(id);
    if (relationship?.type !== 'worksheet') return { name, cells };
    if (isSpent(budget)) budget.truncated = true;
    else {
      const part = archive.readStart(relationship.target);
      if (part?.isWhole === false) budget.truncated = true;
      readXlsxSheet(part?.content, { strings, formats, cells });
    }
    return { name, cells };
  });
  return sheetsExtraction(read, { properties: coreProperties(archive), extractor: 'xlsx', budget });
}

interface Workbook {
  /** The visible sheets, in their order, with the ids of their relationships. */
  readonly sheets: readonly { readonly name: string; readonly id: string }[];
  readonly from1904: boolean;
}

function readWorkbook(bytes: Uint8Array | undefined): Workbook {
  const sheets: { name: string; id: string }[] = [];
  let from1904 = false;
  readXml(bytes, {
    open(element, attributes) {
      const name = localName(element);
      if (name === 'workbookPr') from1904 = isTrue(attributes.date1904);
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '') || sheets.length >= maxSheets) return;
      sheets.push({ name: attributes.name ?? '', id: relationshipId(attributes) });
    },
  });
  return { sheets, from1904 };
}
