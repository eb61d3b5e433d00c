/** The text that a label announces, "Chair: Ada Merrow". */
import { splitSentences } from '../../text/sentences.ts';
import { findCode } from '../../text/values.ts';
import type { FieldMatch } from '../field-match.ts';
import type { Field } from '../fields.ts';
import type { Proposal } from '../proposals.ts';
import { nextLabel, type Statement } from '../statements.ts';
import { dated, datesIn } from './date-spans.ts';

/** Characters; a longer text after a label is prose. Set by hand. */
const maxLabelled = 200;
/** "No. It is closed", "Grade: A. The exam …": what looks like an abbreviation and ends a sentence all the same. */
const endsAfter =
  /^(?:.*\s)?(?:No|Yes|\p{Lu})(?=\.\s+(?:The|He|She|It|They|We|You|This|These|There|In|On|At|For|After|But|Please|See)\s)/u;
/** A full stop at the end that belongs to the word before it: "Acme Inc.", "Washington, D.C.", "5 p.m." */
const ownStop =
  /(?:^|[\s(])(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr|St|Str|Ave|Blvd|Rd|etc|al|Ph\.D|[BM]\.Sc|(?:\p{L}\.\s?)+\p{L})\.$/u;

/** The labelled value of a statement, if its label has all words of the field; none if that value cannot be the field's. */
export function labelledText(field: Field, statement: Statement, match: FieldMatch): Proposal[] {
  return match.isLabelled && statement.valueStart + 1 < statement.text.length ? labelledValue(field, statement) : [];
}

/** "Ada Lovelace; I do the tests", "Ada Lovelace, since May", but "Brek, de Vries & Co.", "Ada Lovelace, née Byron" */
const nameFirst = /^(?:[^;,]|,(?!\s*(?:since|until|from|seit|bis|ab|depuis|desde|room|tel|phone|office|aged?)\b))+/u;

/** In place of a name, where there is none yet. */
const noName =
  /^(?:vacant|none|nobody|no one|n\/a|tb[acd]|to be (?:announced|confirmed|decided|elected)|(?:not yet )?(?:unknown|known)|[-–—?])$/iu;

function labelledValue(field: Field, { text, valueStart }: Statement): Proposal[] {
  const raw = text.slice(valueStart);
  const lead = raw.length - raw.replace(/^[\s*_`]+/, '').length;
  const kept = raw.slice(lead).replace(/[\s*_`]+$/, '');
  const sentence = firstSentence(kept);
  const first = field.role === 'name' ? (nameFirst.exec(sentence)?.[0].trimEnd() ?? sentence) : sentence;
  if (first.length > maxLabelled || first === '') return [];
  if (field.role === 'name' && noName.test(first)) return [];
  const start = valueStart + lead;
  const whole = { value: clean(first), start, end: start + first.length, score: 1 };
  if (field.role === 'date') {
    const [date] = datesIn(field, first);
    // "Available from: the secretary of the club", "Served at: the bar"
    const isPlace = /\b(?:on|at|from)$/.test(field.key);
    if (date === undefined) return isPlace || /\d/.test(first) || first.split(' ').length <= 4 ? [whole] : [];
    return [dated(field, { value: date.text, start: start + date.start, end: start + date.end, score: 1 })];
  }
  if (field.role === 'code') {
    const [code] = findCode(text.slice(valueStart));
    if (code !== undefined)
      return [{ value: code.text, start: valueStart + code.start, end: valueStart + code.end, score: 1 }];
  }
  const code = /^`([^`]+)`/.exec(raw.trimStart());
  if (code !== null) {
    const at = valueStart + raw.indexOf(code[1]!);
    return [{ value: code[1]!, start: at, end: at + code[1]!.length, score: 1 }];
  }
  return [whole];
}

/** Another sentence may follow a labelled one. Its full stop is left out. */
function firstSentence(text: string): string {
  const [[, stop] = [0, text.length]] = splitSentences(text, 0, text.length);
  const first = text.slice(0, stop);
  const cut = (endsAfter.exec(first)?.[0] ?? first).slice(0, nextLabel.exec(first)?.index);
  return cut.endsWith('.') && !cut.endsWith('..') && !ownStop.test(cut) ? cut.slice(0, -1) : cut;
}

/** A text without markup and with single spaces. */
export function clean(text: string): string {
  return text
    .replace(/[*_`]{1,2}(?=\S)|(?<=\S)[*_`]{1,2}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
