/** The dates and the times of a text that a field takes, in the form that it takes them in. */
import { clockSpansIn } from '../../../../base/text/dates/clock-times.ts';
import { daySpansIn, isoDayOf } from '../../../../base/text/dates/days.ts';
import { findDates, type Span } from '../../text/values.ts';
import type { Field } from '../fields.ts';
import type { Proposal } from '../proposals.ts';

const clock =
  /(?<![\p{N}:.])(?:[01]?\d|2[0-4])[:.h][0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\b\.?)?(?![\p{N}:]|\.\p{N})|(?<![\p{N}:.])(?:1[0-2]|[1-9])\s?[ap]\.?m\b\.?/giu;
const rangeJoint = /^\s*(?:to|until|till|through|and|[-–—]|bis|au|al|a)\s*$/u;
const wantsEnd = /\b(?:until|till|end|ends|ended|ending|expiry|expires|deadline|last|latest)\b/;
const wantsStart = /\b(?:from|since|start|starts|started|begin|begins|first)\b/;

/** The dates of a text, of a range the end that is wanted; whole days alone, in any language, where the field is one. */
export function datesIn(field: Field, text: string): readonly Span[] {
  const found = field.allowed?.format === 'date' ? [] : findDates(text);
  const dates = found.length > 0 ? found : daySpansIn(text);
  return dates.filter((span, i) => isWantedEnd(field, text, span, dates[i - 1], dates[i + 1]));
}

/** Of a range of days, "from 22 December to 2 January", `closed_until` wants the end and `closed_from` the start. */
function isWantedEnd(
  { key }: Field,
  text: string,
  span: Span,
  before: Span | undefined,
  after: Span | undefined,
): boolean {
  const isLow = after !== undefined && rangeJoint.test(text.slice(span.end, after.start));
  const isHigh =
    (before !== undefined && rangeJoint.test(text.slice(before.end, span.start))) ||
    /\b\d{1,2}(?:st|nd|rd|th|\.)?\s?(?:to|until|till|[-–—]|bis|au|al|a)\s?$/u.test(text.slice(0, span.start));
  if (wantsEnd.test(key)) return !isLow;
  return !(wantsStart.test(key) && isHigh);
}

/** The times of a text; in every form that becomes ISO 8601 where the field is one. */
export function timesIn({ allowed }: Field, text: string): readonly Span[] {
  return allowed?.format === 'time' ? clockSpansIn(text) : spansOf(text, clock);
}

/** The date as ISO 8601 if the field asks for it and it is complete. */
export function dated(field: Field, proposal: Proposal): Proposal {
  const written = String(proposal.value);
  return field.wantsIso ? { ...proposal, value: isoDayOf(written) ?? written } : proposal;
}

/** The matches of a global pattern, without punctuation at their ends. */
export function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((found) => {
    const said = found[0].replace(/[.,;]+$/, '');
    return { text: said, start: found.index, end: found.index + said.length };
  });
}
