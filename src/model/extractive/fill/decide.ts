/**
 * Reads yes or no from a statement that decides it: whether it affirms or denies, in the clause that has the field's words. "Batteries
 * are excluded" denies that they are included, "all except Sunday" that Sunday is; a condition or a mention alone decides nothing.
 */
import { stemOf } from '../text/words.ts';
import type { FieldMatch } from './field-match.ts';
import type { Field, FieldWord } from './fields.ts';
import type { Statement } from './statements.ts';

export interface Decision {
  readonly value: boolean;
  /** Offsets into the statement's text. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly certainty: number;
}

/** What a field may claim of its subject: names of the field, what affirms it, what denies it. */
const claims = [
  [
    'included include includes inclusive enthalten',
    /\b(?:includ(?:es?|ed|ing)|inclusive|comes? with|in the box|part of the|enthalten|inbegriffen|inklusive|compris|incluid|incluso|inclus)/i,
    /\b(?:exclud(?:es?|ed|ing)|exclusive of|sold separately|at extra cost|for an extra charge|extra charge|costs? extra|(?:is|are|for|costs?) [^.,;]{0,14}\bextra|not part|optional extra|exkl|available separately)/i,
  ],
  [
    'allowed permitted welcome allow allows permit accepted possible eligible erlaubt',
    /\b(?:allow(?:s|ed)?|permit(?:s|ted)?|welcome|may|can|accept(?:s|ed)?|possible|admitted|tolerated|free to|eligible|entitled|carried|erlaubt|dürfen|darf)\b/i,
    /\b(?:prohibit(?:s|ed)?|forbid(?:s|den)?|banned|impossible|disallow(?:s|ed)?|refused?|ineligible|verboten|untersagt)\b/i,
  ],
  [
    'required mandatory needed require requires needs compulsory obligatory necessary',
    /\b(?:requir(?:es?|ed)|mandatory|need(?:s|ed)?|must|compulsory|obligatory|necessary|has to|have to)\b/i,
    /\b(?:optional|voluntary|unnecessary|needless|needn['’]t)\b/i,
  ],
  [
    'available offered offers provided',
    /\b(?:available|offer(?:s|ed)?|provid(?:es?|ed)|there (?:is|are)|has|have|in stock|exists?|open)\b/i,
    /\b(?:unavailable|sold out|discontinued|out of stock|abolished)\b/i,
  ],
  [
    'free gratis complimentary',
    /\b(?:free(?: of charge)?|gratis|complimentary|no charge|no extra cost|kostenlos|gratuit)\b/i,
    /\b(?:costs?|charged|fee|pays?|chargeable)\b/i,
  ],
  ['refundable refunded refund refunds', /(?<!non-)\brefund(?:s|ed|able)?\b/i, /\bnon-?refundable\b/i],
  ['supported supports support', /\bsupport(?:s|ed)?\b|\bworks? with\b/i, /\b(?:unsupported|dropped|removed)\b/i],
  [
    'enabled enable enables on active default',
    /\b(?:enabled?|enables|on by default|active|`?true`?)\b/i,
    /\b(?:disabled?|off by default|off|inactive|`?false`?)\b/i,
  ],
  ['open', /\bopens?\b/i, /\bclosed?\b/i],
  ['closed', /\bclosed?\b/i, /\bopens?\b/i],
  [
    'approved approve passed accepted adopted',
    /\b(?:approved?|passed|accepted|adopted|carried)\b/i,
    /\b(?:rejected|refused|declined|voted down|postponed)\b/i,
  ],
  ['access', /\b(?:access)\b/i, /\b(?:disabled|blocked|denied|closed)\b/i],
] as const;

const denial =
  /\b(?:no(?! later| more than| less than| fewer|body| longer than)|not(?! only| later than| more than| less than| until)|never|without|neither|nor|none|cannot|nobody|no longer|excluding|lacks?|lacking|fails? to|unable|kein\p{L}*|nicht|nie|ohne|pas|jamais|sans|nunca|sin|senza|geen|niet|não|sem)\b|n['’]t\b/giu;
const condition = /\b(?:if|whether|when asked|in case|provided that|falls|wenn|si)\b/i;
const clauseEnd =
  /[;:]\s|,\s(?:but|while|whereas|although|though|however|yet|aber|mais|pero)\b|\s(?:but|whereas|while|although)\s|,\s(?=(?:and )?(?:the|no|dogs|not)\b)/giu;
const exception =
  /[\s,(](?:except(?: for)?|unless|other than|apart from|with the exception of|excluding|außer|sauf|excepto|salvo|tranne)\b/iu;

/** What the statement decides; undefined if it decides nothing. */
export function decide(field: Field, statement: Statement, match: FieldMatch): Decision | undefined {
  const { text, kind, valueStart } = statement;
  const value = text.slice(valueStart);
  const whole = { start: valueStart, end: text.length };
  if (match.isLabelled) {
    const word =
      /^\W*(yes|no|true|false|✓|✔|✗|✘|×|none|ja|nein|oui|non|sí|si|included|not included|on|off|enabled|disabled|–|-|x)\W*(?:$|[,;.(])/iu.exec(
        value,
      )?.[1];
    if (word !== undefined) return { value: isYes(word), ...whole, certainty: 1 };
    if (kind === 'cell') return undefined;
  }
  const code = /(?:Default|default(?:s to)?|initially):?\s*`(true|false)`/.exec(text);
  if (code !== null)
    return { value: code[1] === 'true', start: code.index, end: code.index + code[0].length, certainty: 1 };
  if (kind === 'cell' || kind === 'code' || /\?\s*$/.test(text)) {
    return undefined;
  }
  const reply = /^\W*(yes|no|ja|nein|oui|non|sí)\b[,.:;! ]/iu.exec(text);
  const isReply = reply !== null && statement.section.endsWith('?') && !/^no [a-z]/i.test(text);
  if (isReply) return { value: isYes(reply[1]!), ...whole, certainty: 0.9 };
  const names = field.words.map(({ stem }) => stem);
  const claim = claims.find(([list]) => list.split(' ').some((name) => names.includes(stemOf(name))));
  const claimed = claimStems(field);
  const subject = field.words.filter(({ stem }) => !claimed.has(stem));
  return decideClause(statement, subject, claim);
}

/** The words of a field's name that claim something of its subject: "included", "allowed". */
export function claimStems(field: Field): ReadonlySet<string> {
  const names = field.words.map(({ stem }) => stem);
  const claim = claims.find(([list]) => list.split(' ').some((name) => names.includes(stemOf(name))));
  return new Set(claim === undefined ? [] : claim[0].split(' ').map(stemOf));
}

function decideClause(
  { text, words, unit }: Statement,
  subject: readonly FieldWord[],
  claim: (typeof claims)[number] | undefined,
): Decision | undefined {
  const places = words.filter(({ stem, parts }) =>
    subject.some((word) =>
      [stem, ...parts].some(
        (each) => each === word.stem || word.alternatives.has(each) || (each.length > 4 && word.stem.startsWith(each)),
      ),
    ),
  );
  // The clause with most of the subject's words.
  const clauses = splitClauses(text);
  const counted = clauses.map((clause) => ({
    ...clause,
    count: new Set(
      places.filter((place) => place.start >= clause.start && place.end <= clause.end).map(({ stem }) => stem),
    ).size,
  }));
  const best = counted.reduce((a, b) => (b.count > a.count ? b : a), counted[0]!);
  if (subject.length > 0 && best.count === 0) return undefined;
  const clause = text.slice(best.start, best.end);
  if (condition.test(clause)) {
    const at = clause.search(condition);
    const isBefore = places.some((place) => place.start >= best.start && place.end <= best.start + at);
    if (!isBefore) return undefined;
  }
  const cut = exception.exec(clause);
  const at = cut === null ? clause.length : cut.index;
  // "At no charge" denies nothing.
  const main = clause
    .slice(0, at)
    .replace(/\bno (?=(?:extra |additional |further )?(?:charge|cost|fee)s?\b)/gi, '   ')
    .replace(/\bat {4,}(?:extra |additional |further )?(?:charge|cost|fee)s?\b/gi, (said) =>
      'free'.padEnd(said.length),
    );
  const isExcepted =
    cut !== null &&
    places.length > 0 &&
    places.filter((place) => place.start >= best.start).every((place) => place.start - best.start > at);
  const denials = [...main.matchAll(denial)].filter(({ 0: word, index }) => {
    // "without" denies what follows it alone; so does "no" before its noun.
    if (!/^(?:without|ohne|sans|sin|senza|sem)$/i.test(word)) return true;
    const next = main.slice(index + word.length);
    return places.some(
      (place) =>
        place.start - best.start >= index && place.start - best.start < index + word.length + Math.min(24, next.length),
    );
  });
  let isAffirmed = denials.length % 2 === 0;
  let certainty = 0.7;
  if (claim !== undefined) {
    const [, affirms, denies] = claim;
    const isDenied = denies.test(main);
    const saysSo = affirms.test(main);
    if (isDenied && !saysSo) isAffirmed = !isAffirmed;
    else if (isDenied && saysSo && /^free/.test(claim[0])) isAffirmed = denials.length % 2 === 0;
    else if (!saysSo && !isDenied) {
      // "Towels are included; lockers are not": the verb is in the clause before.
      const isElliptic =
        clauses.length > 1 && (affirms.test(text) || denies.test(text)) && clause.split(/\s+/).length <= 6;
      const isNone = /^\W*(?:no|never|kein\p{L}*)\b/iu.test(main);
      if (!isElliptic && !isNone) return undefined;
      certainty = 0.5;
    }
  } else if (!/\p{L}/u.test(main) || (unit.kind === 'sentence' && !isAsserted(main) && denials.length === 0))
    return undefined;
  if (isExcepted) isAffirmed = !isAffirmed;
  return { value: isAffirmed, start: best.start, end: best.end, certainty };
}

/** Whether a clause asserts something: it has a verb that a fact is said with. */
function isAsserted(clause: string): boolean {
  return /\b(?:is|are|was|were|has|have|had|can|may|must|will|does|do|comes?|includes?|offers?|supports?|provides?|needs?|features?|added|uses?|runs?|goes|go|\p{L}{3,}s|\p{L}{3,}ed)\b/iu.test(
    clause,
  );
}

function isYes(word: string): boolean {
  return /^(?:yes|true|✓|✔|ja|oui|sí|si|included|on|enabled|x)$/iu.test(word);
}

function splitClauses(text: string): { start: number; end: number }[] {
  const clauses: { start: number; end: number }[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(clauseEnd)) {
    if (index > start) clauses.push({ start, end: index });
    start = index + (/^[;:]/.test(mark) ? mark.length : 0);
  }
  if (start < text.length) clauses.push({ start, end: text.length });
  return clauses.length === 0 ? [{ start: 0, end: text.length }] : clauses;
}
