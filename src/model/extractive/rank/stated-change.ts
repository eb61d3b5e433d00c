/** What a sentence says has happened to an event: "The party is moved to 27 June", "Der Ausflug wurde abgesagt". */
import { readWords, type Word } from '../text/words.ts';

const moved = 'moved|postponed|rescheduled|brought forward|put (?:back|off)|called off|cancell?ed|changed|relocated';
const verschoben = '(?:verschoben|verlegt|vorgezogen|abgesagt|geändert)';
/** The subject is what stands before each; of "wird", it may stand after it. */
const changes = [
  String.raw`(?:is|are|was|were|got|(?:has|have|will) (?:now )?(?:been|be)|now) (?:now )?(?:${moved})(?!\p{L})`,
  String.raw`(?:moved|postponed|rescheduled|brought forward|cancell?ed) (?:from|to|until|by|because|due)(?!\p{L})(?!.*(?<!\p{L})(?:is|are|will|can|cost|get)(?!\p{L}))`,
  String.raw`(?:wird|wurde|ist|sind|werden|wurden)(?!\p{L})(?=[^;]{0,80}(?<!\p{L})${verschoben}(?!\p{L}))`,
  String.raw`(?:est|sont|a été|ont été) (?:reportée?s?|déplacée?s?|avancée?s?|annulée?s?|décalée?s?)(?!\p{L})`,
  String.raw`(?:se|ha sido|fue|han sido) (?:aplaza\p{L}*|cambia\p{L}*|traslad\p{L}*|cancel\p{L}*|pospon\p{L}*|pospuest\p{L}*)`,
];
const saysChange = new RegExp(String.raw`(?<!\p{L})(?:${changes.join('|')})`, 'iu');
/** What may happen, happens again and again or did not, or happened long ago. */
const isUndecided =
  /(?<!\p{L})(?:if|when(?:ever)?|unless|should|in case|in the event|may (?:be|have|also|only|still|then|again)|might|can|could|cannot|must|not|never|every|each|always|often|sometimes|usually|that|which|who|(?:in|during|at) (?:bad|high|strong|heavy|severe|low)|last (?:year|month|week)|at the time|wenn|falls|bei|sofern|sobald|kann|können|darf|muss|nicht|kein(?:e[nrms]?)?|oft|immer|manchmal|jede[rsnm]?|damals|letzte[nrs]? (?:Jahr|Woche|Monat)|si|s['’]ils?|en cas|quand|lorsque|peut|peuvent|pas|qui|que|souvent|toujours|chaque|no|cuando|puede|pueden|siempre|cada|caso)(?!\p{L})/iu;
const offWord = /cancell?ed|called off|abgesagt|annul|cancel/i;

/** "on 20 June", "of the choir", "planned for May": what may stand between an event and what is said of it. */
const addition =
  /^(?:on|of|for|in|at|from|with|to|planned|scheduled|originally|due|am|im|in|vom|von|zum|zur|der|des|für|mit|nach|du|de|des|à|au|en|prévue?|del|con|a)(?!\p{L})/iu;
const preposition = /(?<!\p{L})(?:of|for|to|from|with|de|du|des|del|von|vom|der|für|zum|zur)(?!\p{L})/iu;
const reason = /^(?:because of|due to|owing to|wegen|aufgrund|en raison|à cause|debido|por)(?!\p{L})/iu;

export interface StatedChange {
  /** Whether it will not be at all. */
  readonly isOff: boolean;
}

/** Whether a text says any change at all, of whatever. */
export function saysAnyChange(text: string): boolean {
  return saysChange.test(text);
}

/** The change that a sentence states as decided of the event that `isNamed` knows by a word; undefined for any other. */
export function statedChange(
  text: string,
  language: Parameters<typeof readWords>[1],
  isNamed: (word: Word) => boolean,
): StatedChange | undefined {
  const found = saysChange.exec(text);
  if (found === null || isUndecided.test(text)) return undefined;
  const after = text.slice(found.index + found[0].length);
  const isGerman = /^(?:wird|wurde|ist|sind|werden|wurden)$/i.test(found[0]);
  const [before = ''] = text
    .slice(0, found.index)
    .split(/[.,;:!?–]\s/)
    .slice(-1);
  const isSubject =
    isSubjectEnd(before, language, isNamed) ||
    (isGerman &&
      readWords(after.replace(/^\s*(?:der|die|das|unser\p{L}*)\s/iu, ''), language)
        .slice(0, 1)
        .some(isNamed));
  if (!isSubject) return undefined;
  return { isOff: offWord.test(isGerman ? after : found[0]) };
}

/** Whether a subject is the named event: "the summer party", "the concert on 20 June"; not "the party bus", "the bus of the party". */
function isSubjectEnd(
  subject: string,
  language: Parameters<typeof readWords>[1],
  isNamed: (word: Word) => boolean,
): boolean {
  const named = readWords(subject, language).filter(isNamed);
  const [first, last] = [named[0], named.at(-1)];
  if (first === undefined || last === undefined) return false;
  const [head, tail] = [subject.slice(0, first.start).trim(), subject.slice(last.end).trim()];
  if (tail !== '' && !addition.test(tail)) return false;
  return reason.test(head) || !preposition.test(head.replace(/^\S+\s?/, ''));
}
