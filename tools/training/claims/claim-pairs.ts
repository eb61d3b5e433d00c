/**
 * Thousands of claims about pages, each true or false by its page, made of `questions.jsonl.gz`: the statements that its questions and
 * answers make, sentences of the pages, and what becomes of both when they are changed. The same file makes the same pairs.
 */
import { type ArticleLine, articleOf, readArticleLines } from '../../../bench/questions/articles.ts';
import { createRandom, type Random } from '../../../bench/support/random.ts';
import { readSentences } from '../../../src/engine/writing/support/reading/read-text.ts';
import { type Around, type Changed, namesIn } from './change.ts';
import { falseChanges } from './false-changes.ts';
import { countVerbs, stateAnswer } from './state-answer.ts';
import { trueChanges } from './true-changes.ts';

export interface ClaimPair {
  readonly page: string;
  /** Pairs of one article are in one fold. */
  readonly article: string;
  readonly title: string;
  readonly text: string;
  /** As in bench/questions/claims. */
  readonly way: string;
  readonly true: boolean;
  readonly claim: string;
}

// Set by hand: about as many true as false ones, no way more than a few times as frequent as the others.
/** False claims of one way kept for each page. */
const maxOfOneWay = 1;
/** Sentences of a page that are changed, and kept as they are but for their form. */
const changedSentences = 5;
/** The share of the pages whose own names replace others; the rest takes those of the whole article. */
const pageNames = 0.7;
/** The share of the statements that become a false claim by one change, and by another answer. */
const share = { changed: 0.45, otherAnswer: 0.35 };

/** Makes all pairs of the `questions.jsonl.gz` in `folder`. */
export function makeClaimPairs(folder: string): ClaimPair[] {
  const lines = readArticleLines(folder);
  const pages = lines.filter(({ kind }) => kind === 'page');
  const verbs = countVerbs(pages.map(({ text }) => text));
  const articles = new Map<string, ArticleLine[]>();
  for (const page of pages) articles.set(articleOf(page.id), [...(articles.get(articleOf(page.id)) ?? []), page]);
  const arounds = new Map([...articles].map(([id, texts]) => [id, aroundOf(texts)]));
  const questions = new Map<string, ArticleLine[]>();
  for (const line of lines)
    if (line.kind === 'question') questions.set(line.pages[0]!, [...(questions.get(line.pages[0]!) ?? []), line]);

  return pages.flatMap((page) => {
    const random = createRandom(hash(page.id));
    const asked = questions.get(page.id) ?? [];
    const made: { way: string; true: boolean; claim: string }[] = [];
    const statements: string[] = [];
    for (const { question, answers } of asked) {
      const stated = stateAnswer(question, answers[0]!, verbs);
      if (stated === undefined || !page.text.includes(answers[0]!) || !isClean(stated, answers[0]!)) continue;
      statements.push(stated);
      made.push({ way: 'paraphrase', true: true, claim: stated });
      const other = random() < share.otherAnswer ? otherAnswer(answers[0]!, asked, random) : undefined;
      const changed = other === undefined ? undefined : stateAnswer(question, other, verbs);
      if (changed !== undefined && changed !== stated && isClean(changed, other!))
        made.push({ way: 'name', true: false, claim: changed });
    }
    const sentences = readSentences(page.text)
      .map(({ start, end }) => page.text.slice(start, end))
      .filter((sentence) => sentence.length > 40 && sentence.length < 350 && !sentence.includes('\n'));
    // Names of the page itself are the better traps.
    const own = namesIn(page.text);
    const wide = arounds.get(articleOf(page.id))!;
    const around: Around = {
      names: own.length > 3 && random() < pageNames ? own : wide.names,
      verbs: wide.verbs,
      sentences,
    };
    const chosen = shuffled(sentences, random).slice(0, changedSentences);
    for (const sentence of chosen)
      for (const { way, claim } of changes(trueChanges, sentence, around, random).slice(0, 1))
        made.push({ way, true: true, claim });
    // Every sentence may be hedged; other changes are of a few sentences and of the statements.
    const makeFalse = [
      ...statements
        .filter(() => random() < share.changed)
        .map((statement) => pick(changes(falseChanges, statement, around, random), random)),
      ...sentences.flatMap((sentence) =>
        changes(falseChanges, sentence, around, random).filter(({ way }) => rare.has(way)),
      ),
      ...chosen.slice(0, 2).map((sentence) => pick(changes(falseChanges, sentence, around, random), random)),
    ];
    const counts = new Map<string, number>();
    for (const change of makeFalse) {
      if (change === undefined) continue;
      const count = counts.get(change.way) ?? 0;
      counts.set(change.way, count + 1);
      if (count < maxOfOneWay * (rare.has(change.way) ? 1 : 2))
        made.push({ way: change.way, true: false, claim: change.claim });
    }
    const { id, title, text } = page;
    return made.map((claim) => ({ page: id, article: articleOf(id), title, text, ...claim }));
  });
}

/** Ways that few sentences allow. */
const rare = new Set(['hedge', 'plan', 'condition', 'opinion', 'cause', 'order', 'comparison', 'superlative', 'role']);

function changes(
  of: readonly ((...all: Parameters<(typeof falseChanges)[number]>) => Changed[])[],
  sentence: string,
  around: Around,
  random: Random,
): Changed[] {
  return of.flatMap((change) => change(sentence, around, random));
}

/** One change of a way drawn first, so that no way is drawn more often for its number of places. */
function pick(all: readonly Changed[], random: Random): Changed | undefined {
  const ways = [...new Set(all.map(({ way }) => way))];
  const way = ways[Math.floor(random() * ways.length)];
  const some = all.filter((change) => change.way === way);
  return some[Math.floor(random() * some.length)];
}

/** An answer in the middle, and a preposition at the end, often mean that the verb of the question was not found. */
function isClean(stated: string, answer: string): boolean {
  const bare = answer.replace(/[.,;]$/, '').toLowerCase();
  const at = stated.toLowerCase().indexOf(bare);
  const isEdge = at <= 25 || at + bare.length >= stated.length - 25;
  return (
    isEdge &&
    !/\b(?:of|in|to|for|by|with|from|as|is|was|are|were|and|the)\.$/.test(stated) &&
    !/\b(?:is|was|are|were|haves|did) (?:is|was|are|were|do|does|did|has|have)\b/.test(stated)
  );
}

/** The answer of another question about the page, of the same kind and with no word in common. */
function otherAnswer(answer: string, questions: readonly ArticleLine[], random: Random): string | undefined {
  const kindOf = (text: string) =>
    /^(?:1\d|20)\d\d$/.test(text)
      ? 'year'
      : /\d/.test(text)
        ? 'number'
        : /^(?:the )?\p{Lu}/u.test(text)
          ? 'name'
          : 'words';
  const words = new Set(answer.toLowerCase().split(/\W+/));
  const others = questions
    .map(({ answers }) => answers[0]!)
    .filter(
      (other) =>
        kindOf(other) === kindOf(answer) &&
        !other
          .toLowerCase()
          .split(/\W+/)
          .some((word) => words.has(word)),
    );
  return others[Math.floor(random() * others.length)];
}

function aroundOf(pages: readonly ArticleLine[]): Omit<Around, 'sentences'> {
  const names = pages.flatMap(({ text }) => namesIn(text)).filter((name) => name.length < 40);
  const verbs = pages.flatMap(({ text }) => text.match(/\b[a-z]{3,}ed\b(?= (?:the|a|an|in|by|to)\b)/g) ?? []);
  return { names: [...new Set(names)], verbs: [...new Set(verbs)] };
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

function hash(text: string): number {
  let value = 2166136261;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 16777619);
  return value >>> 0;
}
