/**
 * What a question wants the most or the least of: "the newest boat", "Who joined last?", "das teuerste Zimmer", "la moins chère". An
 * adjective is about columns of some names; "most" and "fewest" about the column that the next word names.
 */
import { questionWords } from '../question-words.ts';
import {
  adjectives,
  type ExtremeColumn,
  isDate,
  isEntry,
  isMaking,
  isQuantity,
  least,
  most,
} from './extreme-columns.ts';

/** Characters of a question that are read. Set by hand. */
const maxLength = 1_000;

export interface Superlative {
  /** Where the words of the superlative are in the question. */
  readonly start: number;
  readonly end: number;
  /** Columns that the adjective is about, those that are preferred first. */
  readonly columns: readonly ExtremeColumn[];
  /** Whether the word after it may name the column, "the most beds", and whether the greatest of its values is wanted. */
  readonly ofNext: boolean;
  readonly isMost: boolean;
  /** Whether it is what was first or last. */
  readonly isOfTime: boolean;
}

interface Form {
  readonly pattern: RegExp;
  readonly columns: readonly ExtremeColumn[];
  readonly ofNext: boolean;
  readonly isMost: boolean;
}

const opposite = (columns: readonly ExtremeColumn[]) =>
  columns.map((column) => ({ ...column, isMost: !column.isMost }));
/** "más barato que la otra" compares with one. */
const thanOne = String.raw`(?!\p{L})(?! (?:que|qu|di|del|do que)(?!\p{L}))`;
const forms: readonly Form[] = [
  {
    pattern:
      /(?<!\p{L})(?:has|have|hat|ist|est|ha|lleva) .*(?<!\p{L})(longest|am längsten|depuis le plus longtemps|más tiempo)\W*$/iu,
    columns: least(isEntry),
    ofNext: false,
    isMost: false,
  },
  ...adjectives.flatMap(({ ending, afterMore, columns, isMost }): Form[] => [
    { pattern: new RegExp(`(?<!\\p{L})(?:${ending})(?!\\p{L})`, 'iu'), columns, ofNext: true, isMost },
    {
      pattern: new RegExp(`(?<!\\p{L})(?:plus|más|più|mais) (?:${afterMore})${thanOne}`, 'iu'),
      columns,
      ofNext: false,
      isMost,
    },
    {
      pattern: new RegExp(`(?<!\\p{L})(?:moins|menos|meno) (?:${afterMore})${thanOne}`, 'iu'),
      columns: opposite(columns),
      ofNext: false,
      isMost: !isMost,
    },
  ]),
  {
    pattern: /(?<!\p{L})the most of\W*$/iu,
    columns: most(isQuantity),
    ofNext: false,
    isMost: true,
  },
  {
    pattern:
      /(?<!\p{L})(?<!\b(?:at|for the) )most(?! (?:of|people|likely|important)\b)(?= \p{L}|\W*$)|(?<!\p{L})meisten(?!\p{L})|(?<!\p{L})le plus d(?:e |['’])|(?<=(?:tiene|tienen|hay) )más(?= \p{L})|(?<=(?:ha|hanno) )più(?= \p{L})|(?<=tem )mais(?= \p{L})|\bde meeste(?!\p{L})/iu,
    columns: [],
    ofNext: true,
    isMost: true,
  },
  {
    pattern:
      /(?<!\p{L})fewest(?= \p{L}|\W*$)|(?<!\p{L})(?<!\bat )least(?= \p{L}|\W*$)|(?<!\p{L})wenigsten(?!\p{L})|(?<!\p{L})le moins d(?:e |['’])|(?<=(?:tiene|tienen|hay) )menos(?= \p{L})|(?<=(?:ha|hanno) )meno(?= \p{L})|\bde minste(?!\p{L})/iu,
    columns: [],
    ofNext: true,
    isMost: false,
  },
];

const who = questionWords('who', 'what', 'which');
/** "Who joined last?", "What was the last expense?" */
const ofTime = (words: string) =>
  new RegExp(
    `^\\W*(?:${who})(?!\\p{L}).{0,80}(?<!\\p{L})(${words})\\W*$|^\\W*(?:what|which|who)(?:'s|’s| is| was) the (${words})(?= \\p{L}+\\W*$)`,
    'iu',
  );
/** Much else is last or first, so that these are looked for after the others. */
const inTime: readonly Form[] = [
  {
    pattern: ofTime('last|zuletzt|als letzte[rs]?|en dernier|por último'),
    columns: most(isEntry, isDate, isMaking),
    ofNext: false,
    isMost: true,
  },
  {
    pattern: ofTime('first|zuerst|als erste[rs]?|en premier|primero'),
    columns: least(isEntry, isDate, isMaking),
    ofNext: false,
    isMost: false,
  },
];

/** What else is first or last: "last year", "the first floor". */
export const notEvents =
  'years?|weeks?|months?|times?|names?|aid|floor|class|row|hours?|minutes?|days?|steps?|door|point|place|part|page|word|Jahr|Woche|Monat|Mal|Tag|Stock|Hilfe|année|semaine|mois|fois|jour|étage|año|semana|mes|vez|día|piso';
const whenOrWhere = questionWords('when', 'where', 'which', 'what');
/** "When is the last match?", "Wo ist das letzte Spiel?"; not "last year". */
const ofEvents = (words: string) =>
  new RegExp(
    `^\\P{L}*(?:${whenOrWhere})(?!\\p{L}).{0,40}(?<!\\p{L})(${words}) (?!(?:${notEvents})(?!\\p{L}))(?=\\p{L}{3})`,
    'iu',
  );
const eventsInTime: readonly Form[] = [
  {
    pattern: ofEvents('last|final|letzte[rsnm]?|derni(?:er|ère)|último|última'),
    columns: most(isDate),
    ofNext: false,
    isMost: true,
  },
  {
    pattern: ofEvents('first|erste[rsnm]?|premi(?:er|ère)|primer|primera'),
    columns: least(isDate),
    ofNext: false,
    isMost: false,
  },
];

/** The superlative of a question; undefined if it has none. */
export function readSuperlative(question: string): Superlative | undefined {
  const text = question.slice(0, maxLength);
  for (const form of [...forms, ...inTime, ...eventsInTime]) {
    const { pattern, columns, ofNext, isMost } = form;
    const found = pattern.exec(text);
    if (found === null) continue;
    const words = found[1] ?? found[2] ?? found[0];
    const start = found.index + found[0].lastIndexOf(words);
    return {
      start,
      end: start + words.length,
      columns,
      ofNext,
      isMost,
      isOfTime: inTime.includes(form) || eventsInTime.includes(form),
    };
  }
  return undefined;
}
