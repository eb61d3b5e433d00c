/**
 * The elements of a list of texts or numbers, from one place: the items under a heading or a sentence that has the field's words,
 * what follows a label, the column of a table, or what one sentence enumerates after the field's words.
 */

import { statedNumbers } from '../../../base/text/stated-numbers.ts';
import { maxRows } from '../../../base/values/max-rows.ts';
import type { LeafValue } from '../../../engine/ports/model.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { readWords } from '../text/words.ts';
import { matchField, strengthIn } from './field-match.ts';
import type { Field } from './fields.ts';
import { toValue } from './leaf-value.ts';
import { unitOf } from './numbers/units.ts';
import type { Page } from './pages.ts';
import type { Proposal } from './proposals.ts';
import { placed } from './stated-values.ts';
import type { Statement } from './statements.ts';

interface Item extends Proposal {
  readonly statement: Statement;
}

const maxItems = maxRows + 1;

/** One value for each element, in order, with its index in the path; none if nothing lists them. */
export function findElements(field: Field, question: AnalysedQuestion, pages: readonly Page[]): LeafValue[] {
  if (field.type === 'boolean') return [];
  const [best] = pages
    .flatMap((page) => {
      const found = findList(field, question, page.statements);
      return found === undefined ? [] : [{ ...found, page, score: found.score + 1.5 * page.relevance }];
    })
    .sort((a, b) => b.score - a.score);
  return (best?.items ?? []).map((item, index) =>
    toValue(field, placed(item, item.statement, best!.page), `${field.path.slice(0, -1)}${index}`),
  );
}

/** The best list of one passage. */
function findList(
  field: Field,
  question: AnalysedQuestion,
  statements: readonly Statement[],
): { score: number; items: Item[] } | undefined {
  const found = [...lists(field, question, statements)]
    .map((list) => (field.type === 'number' ? { ...list, items: numbersOf(list.items, field) } : list))
    .filter(({ items }) => items.length > 0);
  return found.sort((a, b) => b.score - a.score)[0];
}

/** The numbers of the items; none if one of them has no number, or several, or one in another unit than the field has. */
function numbersOf(items: readonly Item[], { unit }: Field): Item[] {
  const numbers = items.flatMap((item) => {
    const [number, ...others] = statedNumbers(String(item.value));
    const rest = String(item.value)
      .replace(/^[^\p{L}]*/u, '')
      .trim();
    const isInUnit = rest === '' || unit === '' || unitOf(rest.toLowerCase()) === unit;
    return number === undefined || others.length > 0 || !isInUnit ? [] : [{ ...item, value: number.value }];
  });
  return numbers.length === items.length ? numbers : [];
}

function* lists(
  field: Field,
  question: AnalysedQuestion,
  statements: readonly Statement[],
): Generator<{ score: number; items: Item[] }> {
  for (const [i, statement] of statements.entries()) {
    const { kind, text, valueStart, list } = statement;
    if (kind === 'item' && statements[i - 1]?.list !== list) {
      const items = statements.filter((each) => each.list === list && each.kind === 'item').slice(0, maxItems);
      const before = statements[i - 1];
      const announced =
        before !== undefined && before.kind === 'prose' && (/:\s*$/.test(before.text) || before.words.length <= 4)
          ? before
          : undefined;
      const stems = new Set([...stemsOf(statement.section), ...(announced?.own ?? [])]);
      const share = shareIn(field, stems);
      if (share >= 0.99) {
        const wholeItems = items.map((item) => whole(withRest(item, statements)));
        yield { score: 2 + (announced === undefined ? 0 : 0.1), items: wholeItems };
      }
    }
    if (kind === 'cell' && statement.column !== '' && shareIn(field, stemsOf(statement.column)) >= 0.99) {
      const items = statements
        .filter((each) => each.list === list && each.column === statement.column)
        .slice(0, maxItems);
      if (items[0] === statement && items.length > 1) yield { score: 1.6, items: items.map(whole) };
    }
    if (kind === 'cell' && statement.lead.length === 0) continue;
    const match = matchField(field, question, statement);
    if (match === undefined) continue;
    if (match.isLabelled) {
      const items = split(statement, valueStart, text.length);
      yield { score: 1.4 + match.score, items };
    } else if (kind !== 'code') {
      const last = Math.max(...match.places.flat().map(({ end }) => end), -1);
      if (last < 0) continue;
      const after = /^(?:[ \p{L}]{0,20}?\b(?:are|is|include|includes|contain|contains)\b)?:?\s*/u.exec(
        text.slice(last),
      )![0];
      const items = split(statement, last + after.length, text.length);
      if (items.length >= 2) yield { score: match.score, items };
    }
  }
}

/** An item with its other sentences. */
function withRest(item: Statement, statements: readonly Statement[]): Statement {
  let { text, raw } = item;
  for (const next of statements) {
    if (next.unit.block !== item.unit.block || next.unit === item.unit) continue;
    // Offsets into the item stay those into the passage.
    const gap = ' '.repeat(next.start - item.start - text.length);
    text += `${gap}${next.text}`;
    raw += `${gap}${next.raw}`;
  }
  return { ...item, text, raw };
}

function whole(statement: Statement): Item {
  const { text } = statement;
  const lead = text.length - text.replace(/^[\s*_`]+/, '').length;
  const kept = text.slice(lead).replace(/[\s*_`]+$/, '');
  return { statement, value: kept.replace(/\s+/g, ' '), start: lead, end: lead + kept.length, score: 1 };
}

/** "eggs, mascarpone and cocoa" between two offsets, up to the end of the clause. */
function split(statement: Statement, from: number, to: number): Item[] {
  const clause = /^(?:[^.;!?()]|\.(?=\S))*/u.exec(statement.text.slice(from, to))![0];
  const items: Item[] = [];
  let at = from;
  for (const piece of clause.split(/(,\s+(?:and|or|und|et|y|e|en)\s+|[,;/]\s+|\s+(?:and|or|und|et|y|e|en)\s+)/u)) {
    const start = at;
    at += piece.length;
    const text = piece.trim().replace(/^(?:and|or)$/, '');
    if (/^[,;/]|^(?:and|or|und|et|y|e|en)$/u.test(text) || text === '') continue;
    const bare = text.replace(/^[*_`]+|[*_`]+$/g, '');
    if (bare.split(/\s+/).length > 6) return [];
    const lead = start + piece.indexOf(bare);
    items.push({ statement, value: bare, start: lead, end: lead + bare.length, score: 1 });
  }
  return items.slice(0, maxItems);
}

function shareIn(field: Field, stems: ReadonlySet<string>): number {
  const all = field.words;
  return all.filter((word) => strengthIn(word, stems) > 0).length / Math.max(1, all.length);
}

function stemsOf(text: string): Set<string> {
  return new Set(readWords(text).flatMap((word) => [word.stem, ...word.parts]));
}
