/**
 * Patterns for what an answer looks like, more precise than the kind of question: an amount of money has a currency, a
 * duration a unit of time, the title of a song quotation marks or capitals. They apply to the text of a unit as shown.
 */
import { months } from '../../../base/text/dates/months.ts';
import { smallNumbers, tens } from '../../../base/text/numbers.ts';
import type { AnalysedQuestion } from './analyse.ts';

interface AnswerType {
  /** Matches questions that ask for it. */
  readonly question: RegExp;
  /** Matches what it looks like; global. */
  readonly answer: RegExp;
}

const numberWords = [
  ...smallNumbers.slice(2, 13),
  ...tens.slice(0, 5),
  'hundred|thousand|million|billion|several|half',
];
const number = String.raw`(?:\d[\d.,]*|${numberWords.join('|')})`;
const month = months.join('|');
const name = String.raw`\p{Lu}[\p{L}'’.-]+`;

/** In order of precedence: the first whose question pattern matches. */
const types: readonly AnswerType[] = [
  {
    question: /\b(?:percent(?:age)?|what (?:proportion|share|fraction))\b|%/i,
    answer: /\d\s?(?:%|per ?cent)|\b(?:percent|per cent|half|third|quarter|majority)\b/giu,
  },
  {
    question:
      /\bhow much (?:money|did|does|do|was|were|is|would|will|has|have)\b|\b(?:what|how much)\b.*\b(?:cost|costs|price|paid|pay|salary|worth|fee|budget|revenue|debt|fine|fund|funds|dollars|gross(?:ed)?|earn(?:ed)?|prize)\b/i,
    answer:
      /[$£€¥]\s?\d|\b\d[\d.,]*\s(?:(?:million|billion|trillion)\s)?(?:dollars|euros?|pounds|yuan|yen|francs|USD|EUR|RMB)\b|\b\d[\d.,]* (?:million|billion|trillion)\b/giu,
  },
  {
    question:
      /\bhow long\b(?! is the)|\bhow many (?:years|months|weeks|days|hours|minutes|seconds|decades|centuries)\b/i,
    answer: new RegExp(
      String.raw`\b${number}[\s-](?:\w+\s)?(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|centur(?:y|ies)|seasons?)\b|\bfrom \d{4} (?:to|until) \d{4}`,
      'giu',
    ),
  },
  {
    question:
      /\bhow (?:far|tall|high|deep|wide|big|large|heavy|fast|thick|long is)\b|\b(?:height|length|width|depth|distance|area|elevation|altitude|weight|size|speed|temperature|magnitude|diameter|range)\b/i,
    answer: new RegExp(
      String.raw`\b${number}[\s-]?(?:(?:square|cubic|million|billion)\s)?(?:km²?|kilomet(?:er|re)s?|m²?|met(?:er|re)s?|cm|mm|miles?|mi|feet|foot|ft|inch(?:es)?|acres?|hectares?|ha|kg|kilograms?|pounds?|lb|tons?|tonnes?|°|degrees|mph|km\/h|[kMG]?W|[kmg]b|MB|GB|TB|Hz|Mw|Ms)(?!\p{L})|°[CF]`,
      'giu',
    ),
  },
  {
    question: /\bhow old\b|\bwhat age\b|\bat what age\b/i,
    answer: /\b(?:aged?|years? old|year-old|at \d+)\b|\b\d{1,2}\b/giu,
  },
  {
    question: /\bhow (?:often|frequently)\b/i,
    answer:
      /\b(?:daily|weekly|monthly|yearly|annual(?:ly)?|twice|once|every|each|biennial|per (?:day|week|month|year)|times|regularly|rarely|seldom|often|usually)\b/giu,
  },
  { question: /\b(?:what|which) month\b/i, answer: new RegExp(String.raw`\b(?:${month})\b`, 'gu') },
  { question: /\b(?:what|which) century\b/i, answer: /\b\d{1,2}(?:st|nd|rd|th)[ -]centur|\b\p{L}+[ -]centur/giu },
  { question: /\b(?:what|which) decade\b/i, answer: /\b1?\d\d0s\b|decade/giu },
  { question: /\b(?:what|which)(?: \w+)? years?\b/i, answer: /\b(?:1\d{3}|20\d{2})\b|\b\d{1,4} (?:BCE?|CE|AD)\b/gu },
  {
    question: /^when\b|\bwhen (?:did|was|were|is|does|do|will|had|has|would)\b|\b(?:what|which) (?:date|day|time)\b/i,
    answer: new RegExp(
      String.raw`\b(?:1\d{3}|20\d{2})(?:s\b)?|\b(?:${month}) \d{1,2}\b|\b\d{1,2} (?:${month})\b|\b(?:${month})\b|\bcentury\b|\b(?:spring|summer|autumn|winter) of\b|\b\d{1,4} (?:BCE?|CE|AD)\b|\b\d{1,2}:\d\d\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b`,
      'gu',
    ),
  },
  {
    question: /\b(?:what|which)\b[^?]{0,30}\b(?:colou?rs?)\b/i,
    answer:
      /\b(?:red|blue|green|yellow|black|white|orange|purple|brown|gr[ae]y|pink|gold(?:en)?|silver|scarlet|crimson)\b/giu,
  },
  {
    question:
      /\b(?:what|which)\b[^?]{0,40}\b(?:songs?|albums?|singles?|tracks?|films?|movies?|books?|novels?|titles?|games?|operas?|plays?|shows?|series|essays?|magazines?|newspapers?|poems?|works?|documentar\p{L}+|episodes?)\b/iu,
    answer: new RegExp(
      String.raw`["“][^"”]{2,60}["”]|(?<=[\p{L}\p{N},] (?:the )?)${name}(?: (?:(?:of|the|and|in|to|a|an|for) )*${name})+|\b${name} \(\d{4}`,
      'gu',
    ),
  },
  {
    question:
      /\b(?:what|which)\b[^?]{0,25}\b(?:language|nationality|religion|country|nation|people|ethnic\p{L}*|continent|state|city|town)\b/iu,
    answer: new RegExp(String.raw`(?<=[\p{L}\p{N},;] (?:the )?)${name}`, 'gu'),
  },
  {
    question:
      /^(?:who|whom|whose)\b|\b(?:who|whom|whose) (?:did|was|were|is|are|does|do|has|had|\p{L}+ed)\b|\bby whom\b|\b(?:what|which)\b[^?]{0,20}\b(?:person|man|woman|actor|actress|singer|author|president|king|queen|leader|director|artist|player|politician|scientist|philosopher|rapper|composer|writer|scholar|critic|producer|emperor|general|historian)\b/iu,
    answer: new RegExp(
      String.raw`(?<![\p{L}] (?:in|at|from|near) )(?:\b(?:Mr|Mrs|Dr|Sir|St|Prof|President|Emperor|King|Queen|Prince|Pope|Lord|Lady|General|Captain|Senator|Father|Rev)\.? )?\b${name} (?:(?:de|van|von|al|of|[A-Z]\.) )*${name}|\b\p{Ll}+ers?\b (?=${name})`,
      'gu',
    ),
  },
  {
    question:
      /^where\b|\bwhere (?:did|was|were|is|are|does|do|has|had|can|would)\b|\b(?:what|which)\b[^?]{0,20}\b(?:place|location|area|region|district|street|river|island|building|venue|borough|province|neighbou?rhood)\b/i,
    answer: new RegExp(
      String.raw`\b(?:in|at|near|from|to|on|off|outside|throughout|along|across|of) (?:(?:the|a|northern|southern|eastern|western|north|south|east|west|central|downtown|modern|present-day|what is now|nearby) )*${name}`,
      'gu',
    ),
  },
  {
    question: /\bhow many\b|\b(?:what|which) (?:\w+ )?(?:number|amount|population|score|rating|rank)\b/i,
    answer: new RegExp(String.raw`\b${number}\b`, 'giu'),
  },
];

/** Returns the offsets of what looks like the answer, in order; undefined where the question has no known type. */
export type FindByType = ((text: string) => readonly number[]) | undefined;

/** The finder for the type that a question asks for. What the question itself contains is never found. */
export function createTypeFinder({ text }: AnalysedQuestion): FindByType {
  const type = types.find(({ question }) => question.test(text));
  if (type === undefined) return undefined;
  const lower = text.toLowerCase();
  const { answer } = type;
  return (shown) => {
    const places: number[] = [];
    // None of the patterns matches an empty string. `matchAll` would copy the pattern for each text.
    answer.lastIndex = 0;
    for (let match = answer.exec(shown); match !== null; match = answer.exec(shown)) {
      if (!lower.includes(match[0].toLowerCase())) places.push(match.index);
    }
    return places;
  };
}
