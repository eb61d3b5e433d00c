/**
 * Derives from the name and type of a template's leaf what value to look for, and the words that a sentence or row must have for its
 * value to count: `default_ms` is a number of milliseconds near the word "default", `author` a name, `summary` a sentence.
 */
import { splitCamelCase } from '../../../base/text/names/camel-case.ts';
import { allowedValue, type PatternMatcher } from '../../../base/values/allowed-values.ts';
import type { Leaf } from '../../../engine/ports/model.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { stemOf } from '../text/words.ts';
import { askedStems, formatRoles, type Role, roleOf } from './field-roles.ts';
import { columnWordsOf, type FieldWord, fieldWordsOf, isFiller, toWord } from './field-words.ts';
import { type Dimension, dimensionOf, unitOf } from './numbers/units.ts';
import { type Side, sideOf } from './numbers/votes.ts';

export interface Field {
  /** JSON pointer of the leaf, with `-` for an element of an array. */
  readonly path: string;
  readonly role: Role;
  readonly type: Leaf['type'];
  /** Which values it may have. */
  readonly allowed: Leaf['allowed'];
  /** A value as it is allowed; undefined if it is not. */
  readonly fit: <Value extends string | number | boolean>(value: Value) => Value | undefined;
  /** Words that the value's sentence or row must have; without units and names that say nothing, such as `value`. */
  readonly words: readonly FieldWord[];
  /** Words of the objects that the leaf is in, which its sentence, row or heading should have. */
  readonly parents: readonly FieldWord[];
  /** The name of the leaf in lower case, its words separated by spaces: "hours per week". */
  readonly key: string;
  /** Words of the heading of a column that has the values: those of the name, others for the same, or of `km` those of its objects. */
  readonly columnWords: readonly FieldWord[];
  /** For a name that says nothing, such as `name` in `events`: the word for what the objects are, which may head its column alone. */
  readonly objectWord: FieldWord | undefined;
  /** Whether the name itself says what to look for; `answer` and `value` do not. */
  readonly isNamed: boolean;
  /** The unit to return the value in, as `unitOf` names it, or ''. */
  readonly unit: string;
  /** What the number must measure; undefined if the name does not say. */
  readonly dimension: Dimension | undefined;
  /** The end of a range that is wanted. */
  readonly bound: 'min' | 'max' | undefined;
  /** Whether it counts things: "sensors". */
  readonly counts: boolean;
  readonly wantsYear: boolean;
  /** What the name counts in: 1e9 for `revenue_billion_eur`, else 1. */
  readonly magnitude: number;
  /** The end of a change that is wanted: `old_rent`, `new_rent`. */
  readonly change: 'from' | 'to' | undefined;
  /** Whose votes it counts. */
  readonly side: Side | undefined;
  /** For the year of an event: words for the things that it may count instead, the houses of `houses/built`. */
  readonly counted: readonly FieldWord[];
  /** Whether dates are returned as ISO 8601. */
  readonly wantsIso: boolean;
  /** Whether the value is a time of the day. */
  readonly wantsTime: boolean;
}

const bounds: Readonly<Record<string, 'min' | 'max'>> = {
  min: 'min',
  minimum: 'min',
  lowest: 'min',
  least: 'min',
  max: 'max',
  maximum: 'max',
  highest: 'max',
  limit: 'max',
};

/** The field for a leaf. Where its name says nothing, as with `value`, the words of the question take its place. */
export function readField({ path, type, allowed }: Leaf, question: AnalysedQuestion, matches: PatternMatcher): Field {
  const keys = keysOf(path);
  const names = splitName(keys.at(-1) ?? '');
  const above = keys.slice(0, -1).flatMap(splitName);
  const unit = type === 'number' ? unitIn(names) : undefined;
  const rest = names.filter(
    (name, i) =>
      i !== unit?.at &&
      bounds[name.toLowerCase()] === undefined &&
      (type !== 'number' || magnitudes[name.toLowerCase()] === undefined),
  );
  const bound = names.map((name) => bounds[name.toLowerCase()]).find(Boolean);
  const own = fieldWordsOf(rest);
  const wantsYear =
    type === 'number' &&
    (names.some((word) => /^(?:year|yr)$/i.test(word)) ||
      (unit === undefined && (question.kind === 'year' || isEvent(names))));
  const words = wantsYear ? own.filter(({ stem }) => stem !== stemOf('year')) : own;
  const isNamed = words.some(({ stem }) => !askedStems.has(stem));
  const parents = fieldWordsOf(above);
  const asked = question.terms.map(({ stem }) => toWord(stem));
  const isChoice = type === 'string' && allowed?.values !== undefined;
  const ofFormat = allowed?.format === undefined ? undefined : formatRoles[allowed.format];
  const role = isChoice ? 'choice' : type === 'string' ? (ofFormat ?? roleOf(names, question.kind)) : type;
  return {
    path,
    type,
    allowed,
    fit: (value) => allowedValue(value, allowed, matches),
    role,
    words: words.length > 0 ? words : parents.length > 0 ? parents : asked,
    parents: words.length > 0 ? parents : [],
    key: names.join(' ').toLowerCase(),
    columnWords: columnWordsOf(names, own.length === 0 && type === 'number' ? parents : own),
    objectWord: names.length === 1 && unspecific.test(names[0]!) ? parents.at(-1) : undefined,
    isNamed: isNamed || (words.length === 0 && (type !== 'string' || parents.length > 0)),
    unit: wantsYear ? '' : (unit?.unit ?? ''),
    dimension:
      type === 'number' ? dimensionOf(unit?.unit ?? '', isAmount(names) ? [...above, ...names] : names) : undefined,
    bound,
    counts:
      type === 'number' &&
      unit === undefined &&
      /[^sui]s$/i.test(rest.findLast((name) => !/^(?:per|in|on)$/i.test(name)) ?? ''),
    wantsYear,
    magnitude: type === 'number' ? (names.map((name) => magnitudes[name.toLowerCase()]).find(Boolean) ?? 1) : 1,
    change: changeOf(names),
    side: type === 'number' ? sideOf(names) : undefined,
    counted: wantsYear && !path.includes('/-/') && plural.test(above.at(-1) ?? '') ? parents : [],
    wantsIso: role === 'date' && names.some((name) => /^(?:date|iso)$/i.test(name)),
    wantsTime:
      allowed?.format === 'time' ||
      names.some((name) =>
        /^(?:time|opened|closed|opens|closes|leaves|arrives|departs|departure|arrival|train|bus|boat|flight)$/i.test(
          name,
        ),
      ),
  };
}

/** A word that may be the plural of a noun. */
const plural = /(?:[^s]s|people|children)$/i;
const magnitudes: Readonly<Record<string, number>> = {
  thousand: 1e3,
  thousands: 1e3,
  million: 1e6,
  millions: 1e6,
  mn: 1e6,
  billion: 1e9,
  billions: 1e9,
  bn: 1e9,
};

function changeOf(names: readonly string[]): Field['change'] {
  if (names.some((name) => /^(?:old|previous|former|prior)$/i.test(name))) return 'from';
  return names.some((name) => /^(?:new|future)$/i.test(name)) ? 'to' : undefined;
}

/** Whether a number is the year of an event, `founded`, and does not count, as `accounts_opened` does. */
function isEvent(names: readonly string[]): boolean {
  const [event = '', before = ''] = [names.at(-1), names.at(-2)];
  if (!/^(?:founded|established|built|opened|born|died|incorporated|inaugurated)$/i.test(event)) return false;
  return !plural.test(before);
}

/** Whether a name says no more than that it is an amount: what it measures is in the name of its object, `deposit`. */
function isAmount(names: readonly string[]): boolean {
  return names.every((name) => isFiller(name) && !/^(?:number|count)$/i.test(name));
}

const unspecific = /^(?:name|title|value|amount|result|total|number)$/i;

/** The words of a name, split at case and at anything that is no letter, digit, `%` or `$`. */
export function splitName(name: string): string[] {
  return splitCamelCase(name)
    .split(/[^\p{L}\p{N}%$]+/u)
    .filter(Boolean);
}

/** The unit that a name asks for: its last word, or the plural of a unit of time anywhere, not after "per". */
function unitIn(names: readonly string[]): { readonly unit: string; readonly at: number } | undefined {
  const isBound = (name: string | undefined) => name !== undefined && bounds[name.toLowerCase()] !== undefined;
  const last = names.findLastIndex((name) => !isBound(name));
  for (let at = names.length - 1; at >= 0; at -= 1) {
    const name = names[at]!.toLowerCase();
    const unit = unitOf(name);
    if (unit === '' || /^(?:per|pro)$/i.test(names[at - 1] ?? '')) continue;
    if (names.length === 1 && /^(?:hour|day|week|month|year|stunde|price|cost)$/.test(name)) return undefined;
    const isTime = /^(?:milliseconds|seconds|minutes|hours|days|weeks|months|years)$/.test(name);
    if ((at === last && (name.length > 1 || names.length > 1)) || isTime) return { unit, at };
  }
  return undefined;
}

function keysOf(path: string): string[] {
  const keys = path.split('/').filter((key) => key !== '-' && key !== '');
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 200));
}
