/**
 * Answers questions about articles as the product does without a model, and prints how good the answers are:
 * `node --import tsx tools/training/try-articles.ts <folder> [first] [count]`. The folder has `questions.jsonl.gz` (see
 * bench/questions/articles.ts). The questions are those from the number `first` on (0), 1,000 by default, and all that no page answers.
 *
 * The weights were learned from these questions, so that they flatter a ranking; train-extractive.ts has the figures of folds.
 */
import { containsAnswer, readArticleLines } from '../../bench/questions/articles.ts';
import { formatTable } from '../../bench/support/table.ts';
import { createQuoteLocator } from '../../src/engine/writing/locate-quote.ts';
import { answer } from '../../src/model/extractive/answer/answer.ts';
import { countWords } from '../../src/model/extractive/text/words.ts';
import { gatherEvidence, type QuestionWithEvidence } from './evidence.ts';

/** Words of a whole answer up to which it is useful: what a reader takes in at a glance. */
const usefulWords = 40;
const marker = /\[(\d+)\](?=\s|$)/g;

interface Tried {
  readonly isRefused: boolean;
  /** Whether the first piece has the answer, and whether the whole answer has it and is short. */
  readonly isFirst: boolean;
  readonly isUseful: boolean;
  readonly isLong: boolean;
  /** The share of the cited pages that answer. */
  readonly precision: number;
  /** Markers that the engine would drop, as their source does not say the text before them. */
  readonly dropped: number;
}

const [folder, first = '0', count = '1000'] = process.argv.slice(2);
if (folder === undefined) throw new Error('Expected the folder that holds questions.jsonl.gz.');
const lines = readArticleLines(folder);
const chosen = new Set(
  lines.filter(({ kind }) => kind === 'question').slice(Number(first), Number(first) + Number(count)),
);
const asked = await gatherEvidence(lines.filter((line) => line.kind !== 'question' || chosen.has(line)));
const started = process.cpuUsage();
const tried = asked.map(tryOut);
const { user, system } = process.cpuUsage(started);
const answerable = tried.filter((_, at) => asked[at]!.answers.length > 0);
const answered = answerable.filter(({ isRefused }) => !isRefused);
const others = tried.filter((_, at) => asked[at]!.answers.length === 0);
const share = (some: readonly Tried[], is: (one: Tried) => boolean | number) =>
  `${((100 * some.reduce((sum, one) => sum + Number(is(one)), 0)) / Math.max(1, some.length)).toFixed(1)} %`;
process.stdout.write(
  `${formatTable(
    [
      'questions',
      'in the first piece',
      'useful',
      'more than 40 words',
      'cited pages that answer',
      'wrongly refused',
      'others',
      'refused',
      'dropped markers',
    ],
    [
      [
        answerable.length,
        share(answerable, ({ isFirst }) => isFirst),
        share(answerable, ({ isUseful }) => isUseful),
        share(answerable, ({ isLong }) => isLong),
        share(answered, ({ precision }) => precision),
        share(answerable, ({ isRefused }) => isRefused),
        others.length,
        share(others, ({ isRefused }) => isRefused),
        tried.reduce((sum, { dropped }) => sum + dropped, 0),
      ],
    ],
  )}\n${((user + system) / 1000 / tried.length).toFixed(1)} ms of CPU a question, with the check of its citations\n`,
);

function tryOut({ question, answers, sources, answering }: QuestionWithEvidence): Tried {
  const text = answer(question, sources).pieces.join('');
  const shown = text.replace(marker, ' ');
  const words = countWords(shown.trim());
  const evidence = sources.map((source) => ({ ...source, end: source.start + source.text.length }));
  const locator = createQuoteLocator(evidence);
  const cited = new Set<string>();
  let dropped = 0;
  let from = 0;
  for (const { index, 0: found, 1: n } of text.matchAll(marker)) {
    const source = evidence[Number(n) - 1]!;
    cited.add(source.url);
    if (locator.locateClaim(text, from, index, source)?.isCitable !== true) dropped += 1;
    from = index + found.length;
  }
  const right = [...cited].filter((page) => answering.some(({ url }) => url === page)).length;
  return {
    isRefused: text === '',
    isFirst: containsAnswer(text.split(marker)[0] ?? '', answers),
    isUseful: words <= usefulWords && containsAnswer(shown, answers),
    isLong: words > usefulWords,
    precision: right / Math.max(1, cited.size),
    dropped,
  };
}
