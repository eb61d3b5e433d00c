/**
 * Reads yes or no from a statement that decides it: whether it affirms or denies, in the clause that has the field's words. "Batteries
 * are excluded" denies that they are included, "all except Sunday" that Sunday is; a condition or a mention alone decides nothing.
 */
import type { Word } from '../text/words.ts';
import { type Claim, claimOf, claimStems, polarityIn, readProposal } from './claims.ts';
import { auxiliaries, type ClausePart, splitClauses, splitParts, verbs } from './clause-parts.ts';
import { countDenials, denial, isEven, isHypothetical } from './denials.ts';
import type { FieldMatch } from './field-match.ts';
import type { FieldWord } from './field-words.ts';
import type { Field } from './fields.ts';
import type { Statement } from './statements.ts';

export interface Decision {
  readonly value: boolean;
  /** Offsets into the statement's text. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly certainty: number;
}

const condition = /\b(?:if|whether|when asked|in case|provided that|falls|wenn|si)\b/i;
/** "A toll was charged until 1968": what was so once says nothing of today. */
const hasEnded =
  /\b(?:was|were|had|used to)\b.*\b(?:until|till|up to)\b|\b(?:wurden?|waren?)\b.*\bbis\b|\b(?:était|étaient|fut)\b.*\bjusqu/iu;
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
  const claim = claimOf(field);
  const claimed = claimStems(claim);
  const subject = field.words.filter(({ stem }) => !claimed.has(stem));
  return decideClause(statement, subject, claim);
}

/** A part of a statement with the subject's words in it. */
interface Part extends ClausePart {
  readonly text: string;
  readonly places: readonly Word[];
  /** The clause that it is of. */
  readonly clause: { readonly start: number; readonly end: number };
}

function decideClause(
  { text, words, unit }: Statement,
  subject: readonly FieldWord[],
  claim: Claim | undefined,
): Decision | undefined {
  const isOf = (word: FieldWord, { stem, parts }: Word) =>
    [stem, ...parts].some(
      (each) => each === word.stem || word.alternatives.has(each) || (each.length > 4 && word.stem.startsWith(each)),
    );
  const places = words.filter((place) => subject.some((word) => isOf(word, place)));
  const parts = splitClauses(text).flatMap((clause) =>
    splitParts(text.slice(clause.start, clause.end), claim?.[1], claim?.[2]).map(({ start, end, isNor }): Part => {
      const [from, to] = [clause.start + start, clause.start + end];
      const within = places.filter((place) => place.start >= from && place.end <= to);
      return { start: from, end: to, isNor, clause, text: text.slice(from, to), places: within };
    }),
  );
  const isSentence = unit.kind === 'sentence';
  if (subject.length === 0) {
    const said = parts.filter((part) => claim !== undefined && polarityIn(part.text, claim) !== undefined);
    return agreed(
      (said.length > 0 ? said : parts.slice(0, 1)).map((part) => decidePart(part, parts, claim, isSentence)),
    );
  }
  // The parts with most of the subject's words; of these, those with the last, which says what the others are about.
  const last = subject.at(-1)!;
  const has = (part: Part, word: FieldWord) => part.places.some((place) => isOf(word, place));
  const countIn = (part: Part) => subject.filter((word) => has(part, word)).length + (has(part, last) ? 0.5 : 0);
  const most = Math.max(...parts.map(countIn));
  if (most === 0) return undefined;
  const chosen = parts.filter((part) => countIn(part) === most);
  const isOfOther = (part: Part) =>
    !goesOn.test(part.text) &&
    subject.some((word) => !has(part, word) && parts.some((other) => other !== part && has(other, word)));
  if (!chosen.some(isOfOther)) return agreed(chosen.map((part) => decidePart(part, parts, claim, isSentence)));
  // "The lobby is heated and the pool is not" says of the pool what is said of the lobby.
  const others = subject.slice(0, -1);
  const [first] = parts.filter((part) => has(part, last));
  return agreed(
    parts
      .filter((part) => first !== undefined && part.start > first.start && !has(part, last))
      .filter((part) => others.length > 0 && others.every((word) => has(part, word)))
      .map((part) => decideVerb(part)),
  );
}

/** A part without a subject of its own: "is heated", "but it has no slide", "fully furnished". */
const goesOn = new RegExp(
  String.raw`^[\s,]*(?:(?:and|but|yet|also|then|as|because|since|which|that|it|they|this|these|always|still|well|not|\p{L}{2,20}ly) ){0,4}(?:${auxiliaries}|${verbs}|\p{L}{2,}ed)(?!\p{L})`,
  'iu',
);

/** What a part says that ends with its verb, "the pool is not", "the pool is too", or that has "so is the pool", "nor is the pool". */
function decideVerb({ text, start, end, isNor }: Part): Decision | undefined {
  const isSo = /^[\s,]*(?:and )?so (?:is|are|was|were|do|does|has|have|can|may|must)\b/i.test(text);
  if (!isSo && !isNor && !withoutVerb.test(text)) return undefined;
  return { value: isEven([...text.matchAll(denial)].length, isNor), start, end, certainty: 0.5 };
}

/** What those parts say that decide anything; undefined if they contradict each other. */
function agreed(decisions: readonly (Decision | undefined)[]): Decision | undefined {
  const [first, ...others] = decisions.filter((each) => each !== undefined);
  return others.every(({ value }) => value === first?.value) ? first : undefined;
}

function decidePart(
  part: Part,
  parts: readonly Part[],
  claim: Claim | undefined,
  isSentence: boolean,
): Decision | undefined {
  const { start, end, clause, places } = part;
  const before = parts.filter((each) => each.clause === clause && each.start <= start).map((each) => each.text);
  if (condition.test(before.join(' '))) {
    const ownAt = part.text.search(condition);
    const isBefore = ownAt !== -1 && places.some((place) => place.end <= start + ownAt);
    if (!isBefore) return undefined;
  }
  if (hasEnded.test(part.text)) return undefined;
  const cut = exception.exec(part.text);
  const at = cut?.index ?? part.text.length;
  // "At no charge" denies nothing.
  const main = part.text
    .slice(0, at)
    .replace(/\bno (?=(?:extra |additional |further )?(?:charge|cost|fee)s?\b(?!\s+(?:is|are|will|was)\b))/gi, '   ')
    .replace(/\bat {4,}(?:extra |additional |further )?(?:charge|cost|fee)s?\b/gi, (said) =>
      'free'.padEnd(said.length),
    );
  if (isHypothetical(main, places, start)) return undefined;
  const isExcepted = cut !== null && places.length > 0 && places.every((place) => place.start - start > at);
  const denied = countDenials(main, places, start, claim);
  if (denied === undefined) return undefined;
  let isAffirmed = isEven(denied, part.isNor);
  let certainty = 0.7;
  let [from, to] = [start, end];
  if (claim !== undefined) {
    const proposed = claim[0].startsWith('approved') ? undefined : readProposal(main, claim);
    const polarity = polarityIn(main, claim);
    if (proposed !== undefined) {
      if (proposed.value === undefined) return undefined;
      isAffirmed = proposed.value;
    } else if (polarity === 'both') return undefined;
    else if (polarity === 'denies') isAffirmed = !isAffirmed;
    else if (polarity === undefined) {
      const shared = readElliptic(part, parts, claim, denied > 0 || part.isNor);
      if (shared !== undefined) {
        isAffirmed = shared.isWhole ? shared.isAffirmed : shared.isAffirmed === isAffirmed;
        [from, to] = [Math.min(from, shared.part.start), Math.max(to, shared.part.end)];
      } else if (!part.isNor && !/^\W*(?:no|never|neither|kein\p{L}*|weder)\b/iu.test(main)) return undefined;
      certainty = 0.5;
    }
  } else if (!/\p{L}/u.test(main) || (isSentence && !isAsserted(main) && denied === 0 && !part.isNor)) return undefined;
  if (isExcepted) isAffirmed = !isAffirmed;
  return { value: isAffirmed, start: from, end: to, certainty };
}

/** A part that goes on without a subject: "but not required", "closed". */
const withoutSubject =
  /^[\s,]*(?:(?:and|but|as|because|since|yet|although|though|while|or|also|it|they|this|these|is|are|was|were|be|does|do|has|have|can|may|will|only|usually|currently|still|strictly|generally|always)\s+)*(?:(?:not|never|no longer|neither|nor|cannot)\s+)?(?:(?:be|been|only|strictly|currently|generally|always|yet|any)\s+)*/iu;
/** "… are", "… is not", "… too", "… as well". */
const withoutVerb =
  /\b(?:is|are|was|were|do|does|may|can|must|will|not|too|as well|either|neither)(?:n['’]t)?[\s.!]*$/iu;

/**
 * What decides for a part without the claim's words. That is what goes on about it, with its denials ("R is welcome but not required",
 * "Sunday: closed"), or the verb alone of a part before ("towels are included; lockers are not").
 */
function readElliptic(
  part: Part,
  parts: readonly Part[],
  claim: Claim,
  isDenied: boolean,
): { readonly part: Part; readonly isAffirmed: boolean; readonly isWhole: boolean } | undefined {
  const at = parts.indexOf(part);
  const next = parts[at + 1];
  const polarityOf = (each: Part) => {
    const polarity = polarityIn(each.text, claim);
    return polarity === 'both' ? undefined : polarity;
  };
  if (next !== undefined) {
    const polarity = polarityOf(next);
    const rest = next.text.replace(withoutSubject, '');
    const begins = [claim[1], claim[2]].some((pattern) => rest.search(pattern) === 0);
    if (polarity !== undefined && begins) {
      const denied = [...next.text.matchAll(denial)].filter(({ 0: word }) => !/^free/i.test(word)).length;
      return { part: next, isAffirmed: (polarity === 'affirms') === isEven(denied, next.isNor), isWhole: true };
    }
  }
  // A denied list may have its verb at its end: "no dogs and no cats are allowed".
  const before = parts.slice(0, at).findLast((each) => polarityOf(each) !== undefined);
  const after = isDenied
    ? parts.slice(at + 1).find((each) => each.clause === part.clause && polarityOf(each) !== undefined)
    : undefined;
  const verb = before ?? after;
  if (verb === undefined || !(isDenied || withoutVerb.test(part.text))) return undefined;
  return { part: verb, isAffirmed: polarityOf(verb) === 'affirms', isWhole: false };
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
