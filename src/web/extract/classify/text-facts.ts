/** Features of each block's text, by itself and compared with the page's title, metadata and other blocks. */
import type { Block } from '../html/blocks.ts';
import type { Metadata } from '../metadata.ts';
import { type PhraseHint, phraseHintNames, phraseHints } from './hints.ts';

export interface TextFacts {
  /** In the order of `textFactNames`. */
  readonly values: readonly number[];
  readonly phrases: Readonly<Record<PhraseHint, number>>;
  /** 1 when it ends like a sentence. */
  readonly ends: number;
  /** Whether it is long and mostly not links. */
  readonly isLong: boolean;
  /** Characters outside links; 0 for a short block. */
  readonly prose: number;
  readonly timesSeen: number;
  readonly seenBefore: number;
  readonly titleOverlap: number;
  readonly isTitle: number;
  readonly inDescription: number;
  /** 1 when JSON-LD contains it too, 0 when not, -1 without any bodies in JSON-LD. */
  readonly inJsonLd: number;
  /** Whether it mentions cookies, privacy or terms. */
  readonly isLegal: boolean;
}

export const textFactNames: readonly string[] = [
  'chars',
  'words',
  'link_density',
  'links',
  'word_length',
  'sentence_ends',
  'ends',
  'commas',
  'digits',
  'capitals',
  'stop_words',
  'starts_capital',
  'title_case',
  ...phraseHintNames,
];

/** Common words of the most common languages: frequent in prose, rare in menus. Written by hand; part of the model. */
const stopWords = new Set(
  (
    'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which you were her all she there would their we him been has when who will more if no out so said what up its about than into them can only other new some could time these two may then do first any my now such like our over me even most made after also did many before must through back years where much your way well down should because each just those people ' +
    'der die und das den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn ' +
    'le la les et des en un une du que est pour qui dans sur pas plus par avec ce il au sont se ne ou mais nous vous ont cette ' +
    'el los las de que y en un una por con para se del al lo como más pero sus su ' +
    'il di che per non sono una con del della si da come anche più ma o e i na w z do to się nie jest het een van dat op te zijn voor met niet aan'
  ).split(' '),
);

/** The facts of each block's text, in the order of the blocks. */
export function readTextFacts(blocks: readonly Block[], { title, description, bodies }: Metadata): TextFacts[] {
  const total = new Map<string, number>();
  const keys = blocks.map(({ text }) => text.slice(0, 200).toLowerCase());
  for (const key of keys) total.set(key, (total.get(key) ?? 0) + 1);
  const seen = new Map<string, number>();
  const titleWords = new Set(wordRuns(title.toLowerCase()));
  const summary = description.toLowerCase();
  const bodyText = plainLower(bodies);
  return blocks.map((block, at) => {
    const key = keys[at]!;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return factsOf(block, {
      total: total.get(key)!,
      before,
      titleWords,
      summary,
      bodyText,
      title: title.toLowerCase(),
    });
  });
}

interface Surroundings {
  readonly total: number;
  readonly before: number;
  readonly title: string;
  readonly titleWords: ReadonlySet<string>;
  readonly summary: string;
  readonly bodyText: string;
}

function factsOf({ text, chars, linkChars, links }: Block, around: Surroundings): TextFacts {
  // The beginning of a very long block is enough.
  const sample = text.slice(0, 2_000);
  const lower = sample.toLowerCase();
  const words = wordRuns(lower);
  const count = words.length || 1;
  const scale = text.length / sample.length;
  const linkDensity = linkChars / chars;
  const letters = countMatches(sample, /\p{L}/gu) || 1;
  const capitals = countMatches(sample, /\p{Lu}/gu);
  const opened = sample.match(/(?<![\p{L}'’])\p{Lu}/gu)?.length ?? 0;
  const ends = /[.!?…。！？؟।]["'”’»)\]]*$/u.test(text) ? 1 : 0;
  const short = lower.slice(0, 300);
  const phrases = Object.fromEntries(
    phraseHintNames.map((name) => [name, phraseHints[name].test(short) ? 1 : 0]),
  ) as Record<PhraseHint, number>;
  const isLong = chars >= 100 && linkDensity < 0.3;
  const shared = words.filter((word) => around.titleWords.has(word)).length;
  return {
    values: [
      Math.log1p(chars),
      Math.log1p(count * scale),
      linkDensity,
      Math.log1p(links),
      letters / count,
      countMatches(sample, /[.!?…。！？؟।](?=\s|$|["'”’»)\]]|[\p{Script=Han}\p{Script=Hiragana}])/gu) /
        Math.sqrt(count),
      ends,
      countMatches(sample, /[,;，、؛،]/g) / count,
      countMatches(sample, /\d/g) / sample.length,
      capitals / letters,
      words.filter((word) => stopWords.has(word)).length / count,
      /^["'“‘«(¿¡]?\p{Lu}/u.test(sample) ? 1 : 0,
      opened / count,
      ...phraseHintNames.map((name) => phrases[name]),
    ],
    phrases,
    ends,
    isLong,
    prose: chars >= 40 ? chars - linkChars : 0,
    timesSeen: Math.log(around.total),
    seenBefore: Math.log1p(around.before),
    titleOverlap: around.titleWords.size === 0 ? 0 : Math.min(1, shared / Math.max(count, around.titleWords.size)),
    isTitle:
      around.title !== '' && lower.length >= 4 && (lower === around.title || around.title.startsWith(lower)) ? 1 : 0,
    inDescription:
      lower.length >= 40 &&
      (around.summary.includes(lower.slice(0, 80)) || lower.includes(around.summary.slice(0, 80) || '\n'))
        ? 1
        : 0,
    inJsonLd: around.bodyText === '' ? -1 : lower.length >= 25 && around.bodyText.includes(lower.slice(0, 60)) ? 1 : 0,
    isLegal: phrases.says_consent + phrases.says_legal > 0,
  };
}

function plainLower(bodies: readonly string[]): string {
  return bodies
    .join(' ')
    .slice(0, 300_000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

function wordRuns(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
