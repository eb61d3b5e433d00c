/** The questions of bench/questions/articles.ts with the evidence that the product's index finds, in five folds by article. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArticleLine, type ArticlePage, articleOf } from '../../bench/questions/articles.ts';
import { everySource, parseSourceRule, type SourceRules } from '../../protocol/index.ts';
import { snapshotId } from '../../src/base/snapshot-id.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import type { Passage } from '../../src/engine/ports/snapshot.ts';
import { fusionScore } from '../../src/engine/research/fusion.ts';
import { planSearch } from '../../src/model/extractive/question/plan.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';

/** Folds of the cross-validation. */
export const foldCount = 5;
/** Passages for a question, as with the engine's effort `balanced`. */
const passages = 16;

/** Every second question is also searched without the article that answers it; the search takes most of the time. */
const withoutAnswerEvery = 2;

export interface QuestionWithEvidence {
  readonly question: string;
  /** Accepted answers; empty where no page answers. */
  readonly answers: readonly string[];
  readonly fold: number;
  /** What the index finds. */
  readonly sources: readonly Source[];
  /** The evidence without the article that answers; only for every second question, otherwise empty. */
  readonly withoutAnswer: readonly Source[];
  /** The passages of the page that answers. */
  readonly answering: readonly Source[];
}

/** Indexes the pages and searches them for every question. */
export async function gatherEvidence(lines: readonly ArticleLine[]): Promise<QuestionWithEvidence[]> {
  const pages = lines.filter(({ kind }) => kind === 'page');
  const folds = foldsOf(lines);
  // A question that no page answers does not name its article, but ids of one article begin with the same letters.
  const unanswerable = [...new Set(lines.flatMap(({ kind, id }) => (kind === 'unanswerable' ? [id.slice(0, 4)] : [])))];
  const folder = await mkdtemp(join(tmpdir(), 'citewire-training-'));
  const corpus = await openCorpus({ file: join(folder, 'index.db') });
  try {
    await indexPages(corpus, pages);
    const questions: QuestionWithEvidence[] = [];
    for (const line of lines.filter(({ kind }) => kind !== 'page')) {
      const sources = await findEvidence(corpus, line.question, everySource);
      if (line.kind === 'unanswerable') {
        const fold = unanswerable.indexOf(line.id.slice(0, 4)) % foldCount;
        questions.push({ question: line.question, answers: [], fold, sources, withoutAnswer: [], answering: [] });
        continue;
      }
      const [page = ''] = line.pages;
      const article = articleOf(page);
      const never = parseSourceRule(addressOf(article));
      const rules = { only: [], never: never === undefined ? [] : [never] };
      const withoutAnswer =
        questions.length % withoutAnswerEvery === 0 ? await findEvidence(corpus, line.question, rules) : [];
      const found = sources.filter(({ url }) => line.pages.some((id) => url === addressOf(id)));
      const answering = found.length > 0 ? found : await passagesOf(corpus, line.question, page);
      questions.push({
        question: line.question,
        answers: line.answers,
        fold: folds.get(article)!,
        sources,
        withoutAnswer,
        answering,
      });
    }
    return questions;
  } finally {
    await corpus.close();
    await rm(folder, { recursive: true });
  }
}

async function indexPages(corpus: OpenCorpus, pages: readonly ArticlePage[]): Promise<void> {
  const byAddress = new Map(pages.map((page) => [addressOf(page.id), page]));
  const reader = {
    async read(url: string) {
      const { title, text } = byAddress.get(url)!;
      const snapshot = { url, title, text: `# ${title}\n\n${text}` };
      return { ...snapshot, id: snapshotId(url, snapshot.text) };
    },
    listPages: async (url: string) => [url],
    crawlDelay: async () => 0,
  };
  await corpus.index({ kind: 'urls', urls: [...byAddress.keys()] }, { reader });
}

const signal = new AbortController().signal;

/** Passages for a prompt as the engine gathers them: for every query of the plan, merged by rank. */
export async function findEvidence(corpus: OpenCorpus, prompt: string, rules: SourceRules): Promise<Source[]> {
  const found = new Map<string, { passage: Passage; score: number }>();
  for (const text of planSearch(prompt).queries) {
    const list = await corpus.search({ text, limit: passages, rules }, signal);
    list.forEach((passage, rank) => {
      const key = `${passage.snapshot} ${passage.start}`;
      const known = found.get(key) ?? { passage, score: 0 };
      found.set(key, { ...known, score: known.score + fusionScore(rank) });
    });
  }
  return [...found.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, passages)
    .map(({ passage }, i) => ({ ...passage, n: i + 1 }));
}

async function passagesOf(corpus: OpenCorpus, prompt: string, page: string): Promise<Source[]> {
  const rule = parseSourceRule(addressOf(page));
  return findEvidence(corpus, prompt, { only: rule === undefined ? [] : [rule], never: [] });
}

/** The fold of each article: in order of their number of questions, each goes into the smallest fold. */
function foldsOf(lines: readonly ArticleLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, pages } of lines) {
    if (kind !== 'question') continue;
    const article = articleOf(pages[0] ?? '');
    counts.set(article, (counts.get(article) ?? 0) + 1);
  }
  const sizes = new Array<number>(foldCount).fill(0);
  const folds = new Map<string, number>();
  for (const [article, count] of [...counts].sort((a, b) => b[1] - a[1])) {
    const fold = sizes.indexOf(Math.min(...sizes));
    folds.set(article, fold);
    sizes[fold]! += count;
  }
  return folds;
}

/** `sq-049-012` is `https://corpus.example/sq-049/sq-049-012`, so that a rule can name an article. */
function addressOf(id: string): string {
  const isArticle = id.split('-').length === 2;
  return `https://corpus.example/${isArticle ? id : `${articleOf(id)}/${id}`}`;
}
