/** Finds the text that a statement gives for a field: what its label announces, or a name, date, code or phrase near the field's words. */
import { monthAbbreviations, months } from '../../../../base/text/dates/months.ts';
import type { TextFormat } from '../../../../base/values/text-formats.ts';
import { splitSentences } from '../../text/sentences.ts';
import { findCode, findDates, findNames, findQuoted, type Span } from '../../text/values.ts';
import { readWords } from '../../text/words.ts';
import { closeness, type FieldMatch } from '../field-match.ts';
import type { Field } from '../fields.ts';
import type { Proposal } from '../proposals.ts';
import type { Statement } from '../statements.ts';
import { dated, datesIn, spansOf, timesIn } from './date-spans.ts';
import { clean, labelledText } from './labelled-text.ts';

const days = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const notNames = new Set([
  ...months,
  ...monthAbbreviations,
  ...days,
  ...days.map((day) => `${day}s`),
  'The',
  'This',
  'It',
  'In',
  'No',
]);
/** Names that are of people in the field's eyes. */
const persons =
  /^(?:author|person|who|director|founder|president|actor|actress|artist|singer|writer|winner|leader|inventor|owner|ceo|landlord|tenant|chair\p{L}*|manager|editor|engineer|architect|builder|designer|contact|speaker|teacher|lead|treasurer|secretary|host|sponsor)$/iu;

const oneWordFormats: ReadonlySet<TextFormat> = new Set(['uuid', 'ipv4', 'ipv6', 'hostname', 'duration']);

/** The texts that may be the field's, with scores. */
export function proposeTexts(field: Field, statement: Statement, match: FieldMatch, key: string): Proposal[] {
  const { text, kind, valueStart } = statement;
  if (field.role === 'email') return patternIn(text, /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, match);
  if (field.role === 'phone')
    return patternIn(text, telephone, match).filter(({ value, start }) =>
      isTelephone(value, ownLabel.test(text.slice(0, start)) || (kind === 'cell' && match.isLabelled)),
    );
  if (field.role === 'address') return addresses(statement, match);
  if (hasOwnForm(field))
    return [...labelledText(field, statement, match), ...patternIn(text, /[^\s,;()|*`"]+/gu, match)];
  if (field.role === 'sentence') {
    return kind === 'code' || (kind === 'cell' && !match.isLabelled)
      ? []
      : [{ value: clean(text.slice(valueStart)), start: valueStart, end: text.length, score: 0.3 }];
  }
  if (field.role === 'block') return [];
  if (field.role === 'version') return patternIn(text, /(?<![\p{N}.])v?\d+(?:\.\d+)+(?:-[a-z0-9.]+)?/giu, match);
  const labelled = labelledText(field, statement, match);
  if (labelled.length > 0) return labelled;
  if (kind === 'code' || kind === 'cell') return [];
  const near = (span: Span, score: number): Proposal => ({
    value: span.text,
    start: span.start,
    end: span.end,
    score: score + closeness(match, text, span.start, span.end),
  });
  const timed = field.wantsTime ? timesIn(field, text).map((span) => near(span, 0.2)) : [];
  if (timed.length > 0) return timed;
  if (field.role === 'place') return places(text).map((span) => near(span, 0));
  if (field.role === 'date')
    return datesIn(field, text).map((span) => dated(field, near(span, span.text.length / 100)));
  if (field.role === 'code')
    return findCode(text)
      .filter((span) => !isOwn(span, match))
      .map((span) => near(span, 0));
  if (field.role === 'name') {
    const wantsPerson = persons.test(key);
    if (wantsPerson && isVacant(text, match)) return [];
    const named = match.places.flat();
    const sentences = splitSentences(text, 0, text.length);
    const isBeside = (span: Span) =>
      named.length === 0 ||
      sentences.some((sentence) => isIn(span, sentence) && named.some((place) => isIn(place, sentence)));
    return findNames(text)
      .filter(isBeside)
      .filter((span) => !isOwn(span, match) && !span.text.split(/\s+/).every((word) => notNames.has(word)))
      .filter((span) => isRealName(span, text, wantsPerson))
      .map((span) => near(span, wantsPerson && /\s/.test(span.text) ? 0.2 : 0));
  }
  return phrases(field, statement, match, near);
}

function isIn({ start }: Pick<Span, 'start'>, [from, to]: readonly [number, number]): boolean {
  return start >= from && start < to;
}

/** "0800 555 0199", "+49 (0)30 123456-78", "02035550143" */
const telephone =
  /(?<![\p{N}./-]|\d:)(?:\+?(?:\(\d{1,8}\)[ \u00a0/-]?|\d{1,8}[ \u00a0/-]{1,2}){1,6}\d{2,8}|[+0]\d{6,14})(?![ \u00a0/-]?\p{N}|[.:]\p{N})/gu;
/** "2026-03-14", "14/03/2026" */
const dateInFigures =
  /^(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}|(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d)$/;
/** The fewest digits of a telephone number, unless it begins with 0 or + or follows a label of its own. Set by hand. */
const minDigits = 7;

/** "Phone: 116 117" */
const ownLabel =
  /(?<!\p{L})(?:phone|telephone|tel|telefon|téléphone|teléfono|telefono|telefoon|call|mobile|mobil|hotline|helpline|emergency|notruf)(?: number)?\.?:[\s*_`]*$/iu;

function isTelephone(value: Proposal['value'], isOwnLabel: boolean): boolean {
  const written = String(value);
  const count = written.replace(/\D/g, '').length;
  return count <= 15 && (count >= minDigits || isOwnLabel || /^\(?[+0]/.test(written)) && !dateInFigures.test(written);
}

/** The text between a post and the word that says it is vacant: "the secretary's post, last held by Ada Merrow, has been vacant". */
const isSaidVacant =
  /^(?:['’]s?)?(?:\s(?:post|position|seat|office|role|job))?(?:\s(?:of|for|on|in)\s[^.,;!?]{1,60}?)?(?:,?\s?[(:]?\s?$|(?:,[^,.;!?]{1,100},|\s\([^()]{1,100}\))?\s(?:has|have|had|is|was|are|were|has been|had been|remains?|remained|stays?|falls?|became|ist|bleibt|est|reste)\s(?:(?:still|currently|now|again|at present|left|noch|derzeit|toujours)\s)*$)/iu;
/** "vacant post of secretary", "vacancy for a secretary", "vacant: the secretary" */
const vacantPost =
  /^(?:vacant|vacancy|unfilled|unoccupied|not (?:yet )?(?:been )?filled):?(?:\s(?:post|position|seat|office|role|job)s?)?(?:\s(?:of|for|as|in))?\s(?:(?:the|an?|our|its)\s)?$/iu;

/** Whether nobody holds the post that the field names: "the post of secretary, last held by Ada Merrow, is vacant". */
function isVacant(text: string, match: FieldMatch): boolean {
  const vacant = /(?<!\p{L})(?:vacant|vacancy|unfilled|unoccupied|not (?:yet )?(?:been )?filled)(?!\p{L})/giu;
  const places = match.places.flat();
  return [...text.matchAll(vacant)].some(({ index }) =>
    places.some(({ start, end }) => {
      const between = start < index ? text.slice(end, index) : text.slice(index, start);
      return between.length < 300 && (start < index ? isSaidVacant : vacantPost).test(between);
    }),
  );
}

/** Whether the format or the pattern of a field says what its value looks like: of all words of a statement, only that one is left. */
function hasOwnForm({ allowed }: Field): boolean {
  const { pattern, format } = allowed ?? {};
  return pattern !== undefined || (format !== undefined && oneWordFormats.has(format));
}

/** "The licence is MIT", "held in the village hall", "made of steel". */
function phrases(
  field: Field,
  { text }: Statement,
  match: FieldMatch,
  near: (span: Span, score: number) => Proposal,
): Proposal[] {
  const found: Proposal[] = [];
  for (const place of match.places.flat()) {
    const after = text.slice(place.end);
    const said =
      /^(?:\s+\p{L}+){0,3}?\s+(?:is|are|was|were|means|reads|=)\s+(?:the |an? )?((?:[^,;.!?()\n]|[.,](?=\S)){1,60})(?=[,;.!?()\n]|$)/u.exec(
        after,
      );
    if (said !== null && !/^(?:not|no|never|\p{L}+ed|\p{L}+ing)\b/u.test(said[1]!) && said[1]!.split(' ').length <= 6) {
      const start = place.end + said[0].length - said[1]!.length;
      found.push(near({ text: said[1]!.trim(), start, end: start + said[1]!.trimEnd().length }, 0.3));
    }
  }
  for (const span of findQuoted(text)) if (!isOwn(span, match)) found.push(near(span, 0));
  if (/\b(?:until|date|on)\b/.test(field.key)) for (const span of findDates(text)) found.push(near(span, 0.1));
  return found;
}

/** "in Kendal", "at the town hall". */
function places(text: string): Span[] {
  const found = text.matchAll(
    /\b(?:in|at|near) (?:the |our |a )?((?:\p{L}[\p{L}\p{N}'’-]*)(?: \p{L}[\p{L}\p{N}'’-]*| \d+){0,3}?)(?=[.,;()\n]|$| (?:in|at|on|and|by|from|for|with|is|are)\b)/gu,
  );
  return [...found]
    .map(({ 0: whole, 1: said = '', index }) => {
      const start = index + whole.length - said.length;
      return { text: said, start, end: start + said.length };
    })
    .filter((span) => !span.text.split(' ').some((word) => notNames.has(word)) && !/\d{4}$/.test(span.text));
}

/** Masked texts have no addresses, so the text of the passage is read. */
function addresses({ raw }: Statement, match: FieldMatch): Proposal[] {
  return patternIn(raw, /\bhttps?:\/\/[^\s<>"')\]]+/g, match);
}

function patternIn(text: string, pattern: RegExp, match: FieldMatch): Proposal[] {
  return spansOf(text, pattern).map((span) => ({
    value: span.text,
    start: span.start,
    end: span.end,
    score: 0.5 + closeness(match, text, span.start, span.end),
  }));
}

/** Whether a span says nothing but the field's own words. */
function isOwn(span: Span, match: FieldMatch): boolean {
  const words = readWords(span.text);
  return words.every((word) => match.places.flat().some((place) => place.stem === word.stem));
}

function isRealName(span: Span, text: string, wantsPerson: boolean): boolean {
  const isFirst = span.start <= 1 || /[.!?:]\s+$/.test(text.slice(Math.max(0, span.start - 3), span.start));
  if (wantsPerson) return /\s/.test(span.text) || !isFirst;
  return !isFirst || /\s/.test(span.text) || /^[A-Z]{2,}$|[a-z][A-Z]/.test(span.text);
}
