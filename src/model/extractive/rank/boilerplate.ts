/**
 * What a document says without telling anything: how a letter greets and ends, the lines above an e-mail, and questions that it asks
 * itself. In a few pages such a unit may have more words of a question than the one that answers it.
 */
import { countMailHeaders, isClosing, quotedAbove, salutations } from '../../../base/text/lines/mail-lines.ts';
import { questionWords } from '../question/question-words.ts';
import type { Unit } from '../text/sentences.ts';
import type { Candidate } from './features.ts';

/** "Dear Mr Osei,", with a mark that ends it. */
const greeting = new RegExp(
  String.raw`^(?:${salutations}|good (?:morning|afternoon|evening)|guten tag|buongiorno|gentile|ciao|beste|geachte|olá|prezad[oa]s?|car[oa]s?)(?: [\p{L}.'’-]+){0,4}\s?[,!:]$`,
  'iu',
);

/** Without a mark it is one before names: "Dear Mr Osei". */
const openGreeting = new RegExp(
  String.raw`^(?:${salutations}|Gentile|Ciao|Geachte|Olá|Prezad[oa]s?)(?: \p{Lu}[\p{L}.'’-]*){1,4}$`,
  'u',
);

const auxiliary =
  'is|are|was|were|do|does|did|can|could|will|would|shall|should|has|have|ist|sind|war|hat|habt|haben|kann|kannst|können|est|es|está|son';

/**
 * "Mei: whats the wifi password again", "Ravi: ok, can i bring my cat": what somebody only asks in a chat, where marks are left out; but
 * not "Ravi: when it rains we meet in the hall", nor "Mei: who has the key is with Bob", which has another verb.
 */
const askingMessage = new RegExp(
  String.raw`^\p{Lu}[\p{L} ]{0,30}: (?:\p{L}[\p{L} ]{0,14}[.,!] ){0,2}(?:${[
    `(?:${questionWords('who', 'what', 'where', 'when', 'why', 'how')}|how \\p{L}+) (?:${auxiliary})(?!.* (?:is|are|was|were|ist|sind) )`,
    "(?:who|what|where|when|how)['’]?s|est-ce que|anyone (?:know|got|seen|have|want)",
    '(?:do|have) (?:i|you|u|we|they)',
    '(?:can|could|does|did|is|are|has|will|shall|should) (?:i|you|u|we|he|she|it|they|there|that|this|the|any\\w*|some\\w+|my|our|your)',
    '(?:kann|können|hat|habt|ist|sind|soll|darf) (?:ich|du|wir|ihr|er|sie|es|jemand|man|das|die|der)',
  ].join('|')})(?!\p{L})[^.!?,;]+$`,
  'u',
);
/** The name that a message begins with. */
const speaker = /^\p{Lu}[\p{L} ]{0,30}: /u;

/** Whether the units are of a chat: some begin with the same name. */
function isOfChat({ passage }: Pick<Candidate, 'passage'>): boolean {
  const names = passage.units.flatMap(({ kind, text }) => (kind === 'item' ? (speaker.exec(text) ?? []) : []));
  return new Set(names).size < names.length;
}

/** Whether it is a line of its own with sentences below it, and so may begin a letter: the name of a thing is not. */
function mayBegin({ passage, unit, index }: Pick<Candidate, 'passage' | 'unit' | 'index'>): boolean {
  const [before, after] = [passage.units[index - 1], passage.units[index + 1]];
  return unit.kind === 'sentence' && before?.block !== unit.block && after?.kind === 'sentence';
}

const quoting = new RegExp(`^${quotedAbove}$`, 'u');

/** Whether a unit of a document answers no question. */
export function isBoilerplate(candidate: Pick<Candidate, 'passage' | 'unit' | 'index'>): boolean {
  const { kind, text } = candidate.unit;
  if (kind === 'code' || kind === 'row') return false;
  return (
    text.endsWith('?') ||
    greeting.test(text) ||
    (openGreeting.test(text) && mayBegin(candidate)) ||
    (askingMessage.test(text) && isOfChat(candidate)) ||
    quoting.test(text) ||
    isClosing(text) ||
    countMailHeaders(text) > 1
  );
}

/** "Thank you for your enquiry about a grey rucksack left on the 07:52 service.": it says again what the reader knows. */
const thanking =
  /^(?:many thanks|thank you|thanks|vielen dank|herzlichen dank|danke|merci|muchas gracias|gracias) (?:very much |so much )?(?:for|für|pour|de|por) (?:your|ihre?n?|deine?n?|votre|vos|tu|su) (?:[^,;:]|:(?=\d))*[.!]$/iu;

/** Whether a unit thanks for what the reader did, and says nothing else. */
export function isThanks({ text }: Pick<Unit, 'text'>): boolean {
  return thanking.test(text);
}

const headLine =
  /^(?:from|to|cc|bcc|sent|date|subject|reply-to|von|an|datum|gesendet|betreff|de|para|à|objet|fecha|enviado|asunto): /i;
/** Lines above a mail, at least; set by hand: one of them may be a line of any list. */
const minHeadLines = 3;

/** Whether a unit is one of the lines above a mail, "Date: 2 June 2024": it says when the mail was written, not when the party is. */
export function isOfMailHead({ unit, passage, index }: Candidate): boolean {
  if (!headLine.test(unit.text)) return false;
  const near = passage.units.slice(Math.max(0, index - 5), index + 6);
  return near.filter(({ text, block }) => block === unit.block && headLine.test(text)).length >= minHeadLines;
}

/** Words of questions about a mail itself: who wrote it, who received it, when it was sent, what its subject is. */
const mailHeader =
  /\b(?:e-?mails?|sent|send|wrote|writes?|written|messages?|letters?|repl(?:y|ied)|subject|received?|recipients?|dated?|whom?)\b|(?<!\p{L})(?:geschrieben|schrieb|geschickt|gesendet|absender|betreff|datum|wer|wem|écrit|envoyé|objet|qui|date|escrib|envi|asunto|fecha|quién)/iu;

/** Whether a question may ask for what is above a mail. */
export function asksOfMail(question: string): boolean {
  return mailHeader.test(question);
}
