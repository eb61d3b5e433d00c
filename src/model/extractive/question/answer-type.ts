/**
 * What an answer looks like, more closely than the kind of question says: an amount of money has a currency, a duration a
 * unit of time, the name of a song quotation marks or capitals. One pattern for each type, over a unit as it is shown.
 */
import { months } from '../../../base/text/months.ts';
import { smallNumbers, tens } from '../../../base/text/numbers.ts';
import type { Question } from './analyse.ts';

interface AnswerType {
  /** Questions that ask for it. */
  readonly asked: RegExp;
  /** What it looks like. */
  readonly looks: RegExp;
}

const numberWords = [
  ...smallNumbers.slice(2, 13),
  ...tens.slice(0, 5),
  'hundred|thousand|million|billion|several|half',
];
const number = String.raw`(?:\d[\d.,]*|${numberWords.join('|')})`;
const month = months.join('|');
const name = String.raw`\p{Lu}[\p{L}'’.-]+`;

/** The first that a question asks for counts. */
const types: readonly AnswerType[] = [
  {
    asked: /\b(?:percent(?:age)?|what (?:proportion|share|fraction))\b|%/i,
    looks: /\d\s?(?:%|per ?cent)|\b(?:percent|per cent|half|third|quarter|majority)\b/giu,
  },
  {
    asked:
      /\bhow much (?:money|did|does|do|was|were|is|would|will|has|have)\b|\b(?:what|how much)\b.*\b(?:cost|costs|price|paid|pay|salary|worth|fee|budget|revenue|debt|fine|fund|funds|dollars|gross(?:ed)?|earn(?:ed)?|prize)\b/i,
    looks:
      /[$£€¥]\s?\d|\b\d[\d.,]*\s(?:(?:million|billion|trillion)\s)?(?:dollars|euros?|pounds|yuan|yen|francs|USD|EUR|RMB)\b|\b\d[\d.,]* (?:million|billion|trillion)\b/giu,
  },
  {
    asked: /\bhow long\b(?! is the)|\bhow many (?:years|months|weeks|days|hours|minutes|seconds|decades|centuries)\b/i,
    looks: new RegExp(
      String.raw`\b${number}[\s-](?:\w+\s)?(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|centur(?:y|ies)|seasons?)\b|\bfrom \d{4} (?:to|until) \d{4}`,
      'giu',
    ),
  },
  {
    asked:
      /\bhow (?:far|tall|high|deep|wide|big|large|heavy|fast|thick|long is)\b|\b(?:height|length|width|depth|distance|area|elevation|altitude|weight|size|speed|temperature|magnitude|diameter|range)\b/i,
    looks: new RegExp(
      String.raw`\b${number}[\s-]?(?:(?:square|cubic|million|billion)\s)?(?:km²?|kilomet(?:er|re)s?|m²?|met(?:er|re)s?|cm|mm|miles?|mi|feet|foot|ft|inch(?:es)?|acres?|hectares?|ha|kg|kilograms?|pounds?|lb|tons?|tonnes?|°|degrees|mph|km\/h|[kMG]?W|[kmg]b|MB|GB|TB|Hz|Mw|Ms)(?!\p{L})|°[CF]`,
      'giu',
    ),
  },
  {
    asked: /\bhow old\b|\bwhat age\b|\bat what age\b/i,
    looks: /\b(?:aged?|years? old|year-old|at \d+)\b|\b\d{1,2}\b/giu,
  },
  {
    asked: /\bhow (?:often|frequently)\b/i,
    looks:
      /\b(?:daily|weekly|monthly|yearly|annual(?:ly)?|twice|once|every|each|biennial|per (?:day|week|month|year)|times|regularly|rarely|seldom|often|usually)\b/giu,
  },
  { asked: /\b(?:what|which) month\b/i, looks: new RegExp(String.raw`\b(?:${month})\b`, 'gu') },
  { asked: /\b(?:what|which) century\b/i, looks: /\b\d{1,2}(?:st|nd|rd|th)[ -]centur|\b\p{L}+[ -]centur/giu },
  { asked: /\b(?:what|which) decade\b/i, looks: /\b1?\d\d0s\b|decade/giu },
  { asked: /\b(?:what|which)(?: \w+)? years?\b/i, looks: /\b(?:1\d{3}|20\d{2})\b|\b\d{1,4} (?:BCE?|CE|AD)\b/gu },
  {
    asked: /^when\b|\bwhen (?:did|was|were|is|does|do|will|had|has|would)\b|\b(?:what|which) (?:date|day|time)\b/i,
    looks: new RegExp(
      String.raw`\b(?:1\d{3}|20\d{2})(?:s\b)?|\b(?:${month}) \d{1,2}\b|\b\d{1,2} (?:${month})\b|\b(?:${month})\b|\bcentury\b|\b(?:spring|summer|autumn|winter) of\b|\b\d{1,4} (?:BCE?|CE|AD)\b|\b\d{1,2}:\d\d\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b`,
      'gu',
    ),
  },
  {
    asked: /\b(?:what|which)\b[^?]{0,30}\b(?:colou?rs?)\b/i,
    looks:
      /\b(?:red|blue|green|yellow|black|white|orange|purple|brown|gr[ae]y|pink|gold(?:en)?|silver|scarlet|crimson)\b/giu,
  },
  {
    asked:
      /\b(?:what|which)\b[^?]{0,40}\b(?:songs?|albums?|singles?|tracks?|films?|movies?|books?|novels?|titles?|games?|operas?|plays?|shows?|series|essays?|magazines?|newspapers?|poems?|works?|documentar\p{L}+|episodes?)\b/iu,
    looks: new RegExp(
      String.raw`["“][^"”]{2,60}["”]|(?<=[\p{L}\p{N},] (?:the )?)${name}(?: (?:(?:of|the|and|in|to|a|an|for) )*${name})+|\b${name} \(\d{4}`,
      'gu',
    ),
  },
  {
    asked:
      /\b(?:what|which)\b[^?]{0,25}\b(?:language|nationality|religion|country|nation|people|ethnic\p{L}*|continent|state|city|town)\b/iu,
    looks: new RegExp(String.raw`(?<=[\p{L}\p{N},;] (?:the )?)${name}`, 'gu'),
  },
  {
    asked:
      /^(?:who|whom|whose)\b|\b(?:who|whom|whose) (?:did|was|were|is|are|does|do|has|had|\p{L}+ed)\b|\bby whom\b|\b(?:what|which)\b[^?]{0,20}\b(?:person|man|woman|actor|actress|singer|author|president|king|queen|leader|director|artist|player|politician|scientist|philosopher|rapper|composer|writer|scholar|critic|producer|emperor|general|historian)\b/iu,
    looks: new RegExp(
      String.raw`(?<![\p{L}] (?:in|at|from|near) )(?:\b(?:Mr|Mrs|Dr|Sir|St|Prof|President|Emperor|King|Queen|Prince|Pope|Lord|Lady|General|Captain|Senator|Father|Rev)\.? )?\b${name} (?:(?:de|van|von|al|of|[A-Z]\.) )*${name}|\b\p{Ll}+ers?\b (?=${name})`,
      'gu',
    ),
  },
  {
    asked:
      /^where\b|\bwhere (?:did|was|were|is|are|does|do|has|had|can|would)\b|\b(?:what|which)\b[^?]{0,20}\b(?:place|location|area|region|district|street|river|island|building|venue|borough|province|neighbou?rhood)\b/i,
    looks: new RegExp(
      String.raw`\b(?:in|at|near|from|to|on|off|outside|throughout|along|across|of) (?:(?:the|a|northern|southern|eastern|western|north|south|east|west|central|downtown|modern|present-day|what is now|nearby) )*${name}`,
      'gu',
    ),
  },
  {
    asked: /\bhow many\b|\b(?:what|which) (?:\w+ )?(?:number|amount|population|score|rating|rank)\b/i,
    looks: new RegExp(String.raw`\b${number}\b`, 'giu'),
  },
];

/** Finds what looks like the answer: offsets of the places, in order; undefined where any text could be it. */
export type FindTyped = ((text: string) => readonly number[]) | undefined;

export function typeFinder({ text }: Question): FindTyped {
  const type = types.find(({ asked }) => asked.test(text));
  if (type === undefined) return undefined;
  const lower = text.toLowerCase();
  return (shown) =>
    [...shown.matchAll(type.looks)]
      .filter((match) => !lower.includes(match[0].toLowerCase()))
      .map(({ index }) => index);
}
