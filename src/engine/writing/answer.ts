/**
 * Turns the model's stream into an answer: first with the model, then with the fallback; what was sent stays. How text and
 * citations become events is left to the writer (answer-writer.ts).
 */
import type { SearchEvent, TextResult, UncitedText } from '../../../protocol/index.ts';
import { createPause } from '../../base/pause.ts';
import { counted } from '../../base/text/counted.ts';
import { BudgetSpent } from '../budget.ts';
import type { Verdict } from '../ports/model.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { ResearchState } from '../research-state.ts';
import type { SearchContext } from '../search-context.ts';
import { block, createAnswerWriter } from './answer-writer.ts';
import { createClaimsJudge } from './judge-claims.ts';
import { createRepetitionGuard } from './repetition-guard.ts';
import { coverageOf } from './uncited-share.ts';

/** An answer in text. */
export interface Written {
  /** Markdown; empty if the evidence does not answer the question. */
  readonly text: string;
  readonly status: TextResult['status'];
  /** As in the result; undefined if nothing in it needs a source. */
  readonly uncited_share?: number | undefined;
  /** As in the result; undefined if there are none. */
  readonly uncited?: readonly UncitedText[] | undefined;
}

/** The largest share of an answer's sentences that may lack a source in a complete answer; set by hand. */
const maxUncited = 0.2;

/**
 * Characters of one model, set by hand: far more than any answer that it is asked for. Not every endpoint keeps to the limit
 * that it is given.
 */
const maxAnswer = 60_000;

/** Characters of a piece whose claims are checked in one go; an answer may come in one piece. Set by hand. */
const longestSlice = 400;

/** A piece in parts that end at blanks, or at least not within a character. */
function* slicesOf(piece: string): Generator<string> {
  let from = 0;
  while (piece.length - from > 2 * longestSlice) {
    const least = from + longestSlice;
    const blank = piece.slice(least, least + longestSlice).search(/\s/);
    const isWithin = /[\uD800-\uDBFF]/.test(piece[least - 1]!);
    const to = blank === -1 ? least + Number(isWithin) : least + blank;
    yield piece.slice(from, to);
    from = to;
  }
  yield piece.slice(from);
}

/** The share of all the time by which checks may outlast the time for writing: the text is there. Set by hand. */
const spareShare = 0.1;

/**
 * Called between the checks of claims: returns a promise, to be awaited, once they have taken long, so that the event loop runs. It
 * rejects with the signal's reason, or when the time for writing has been over for long.
 */
function createGiveWay({ budget, signal }: SearchContext): () => Promise<void> | undefined {
  const pause = createPause();
  let end: number | undefined;

  function checkTime(): void {
    signal.throwIfAborted();
    if (!budget.isOver('writing')) return;
    end ??= performance.now() + 1000 * spareShare * budget.limits.seconds;
    if (performance.now() > end) throw new BudgetSpent('seconds', 'writing');
  }

  return () => pause()?.then(checkTime);
}

/** What all steps of a work return in the end, with `giveWay` between them. */
async function endOf<Value>(
  steps: Generator<undefined, Value>,
  giveWay: () => Promise<void> | undefined,
): Promise<Value> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await giveWay();
    }
  } finally {
    steps.return(undefined as Value);
  }
}

/**
 * The write stage. If the model fails before anything is cited, the fallback continues in a new paragraph; an answer that
 * breaks off after its first citation ends there, as `partial`. All in one generator, because every token passes through.
 */
export async function* writeAnswer(
  context: SearchContext,
  evidence: readonly Evidence[],
): AsyncGenerator<SearchEvent, Written> {
  const { brief, fallback, budget, state } = context;
  const judge = createClaimsJudge(context);
  const writer = createAnswerWriter(evidence, state, judge);
  const giveWay = createGiveWay(context);
  /** Characters since it was called. */
  let pushed = 0;
  const writing = state.begin({ kind: 'write', title: 'Writing the answer' });
  yield writing.started;
  let status: TextResult['status'] = 'answered';
  let isBroken = false;
  for (const model of fallback.models('writing')) {
    const stage = fallback.contextFor(model, 'writing');
    const repeats = createRepetitionGuard();
    const start = writer.text().length;
    status = 'answered';
    try {
      for await (const piece of model.write(brief, evidence, stage)) {
        if (typeof piece !== 'string') status = (piece as Verdict).status;
        else {
          for (const slice of slicesOf(piece)) {
            for (const event of writer.push(slice)) yield event;
            pushed += slice.length;
            // Not after every token.
            if (pushed < longestSlice) continue;
            pushed = 0;
            await giveWay();
          }
          if (repeats(piece)) throw repeating;
          if (writer.text().length - start > maxAnswer) throw endless;
        }
      }
      for (const event of writer.finish()) yield event;
      const inDoubt = await endOf(writer.inDoubt(), giveWay);
      if (judge !== undefined && inDoubt.length > 0)
        for (const event of writer.settle(await judge.judge(inDoubt))) {
          yield event;
          await giveWay();
        }
      break;
    } catch (error) {
      isBroken ||= writer.text() !== '' || budget.isOver('writing');
      const rest = writer.breakOff();
      const isEnd = state.citations.length > 0;
      const warning = fallback.recordFailure(model, 'Writing', error, isEnd);
      if (warning !== undefined) yield warning;
      for (const event of rest) yield event;
      if (isEnd) break;
    }
  }
  const text = writer.text();
  yield writing.finish(`${counted(text.length, 'character')}, ${counted(state.citations.length, 'citation')}`);
  if (text !== '') {
    const citations = state.citations.map((citation) => citation.id);
    yield { type: 'answer.block.done', block, kind: 'markdown', text, citations };
  }
  return { text, status: isBroken ? 'partial' : status };
}

/** The verify stage. Each citation was checked before it was sent; what remains is the verdict on the answer as a whole. */
export function* verifyCitations(context: SearchContext, { text, status }: Written): Generator<SearchEvent, Written> {
  const { state } = context;
  const verifying = state.begin({ kind: 'verify', title: 'Checking the citations' });
  yield verifying.started;
  const { length } = state.citations;
  const { dropped_citations, contradicted_citations = 0 } = state.usage;
  const contradicted = contradicted_citations === 0 ? '' : `, ${contradicted_citations} of them contradicted`;
  yield verifying.finish(
    `${counted(length, 'quote')} found in ${length === 1 ? 'its source' : 'their sources'}, ${counted(dropped_citations, 'citation marker')} dropped${contradicted}`,
  );
  if (text === '') return { text, status: 'not_found' };
  const uncited = uncitedTexts(state);
  yield* warnOfContradictions(text, uncited);
  const { sentences, uncited: count, deniesEvidence } = coverageOf(text, state.citations);
  const uncited_share = sentences === 0 ? undefined : Math.round((100 * count) / sentences) / 100;
  const written = { text, uncited_share, uncited: uncited.length === 0 ? undefined : uncited };
  // "The evidence does not say it" needs no source.
  if (length === 0 && (status === 'not_found' || (sentences === 0 && deniesEvidence)))
    return { ...written, status: 'not_found' };
  if (length === 0) {
    yield { type: 'warning', code: 'uncited', message: 'Nothing in this answer could be found in its sources.' };
    return { ...written, status: 'partial' };
  }
  if (status === 'not_found') return { ...written, status: 'partial' };
  if (status === 'conflicting' && new Set(state.citations.map(({ source_id }) => source_id)).size < 2) {
    yield { type: 'warning', code: 'uncited', message: 'The sources are said to disagree, but only one is cited.' };
    return { ...written, status: 'partial' };
  }
  if (status !== 'answered' || count <= maxUncited * sentences) return { ...written, status };
  const message = `${count} of the ${sentences} sentences of this answer could not be found in its sources.`;
  yield { type: 'warning', code: 'uncited', message };
  return { ...written, status: 'partial' };
}

/** The sentences that lost all their citations, each once, in the order of the text. */
function uncitedTexts({ uncited, citations }: ResearchState): UncitedText[] {
  const byStart = new Map<number, UncitedText>();
  for (const each of uncited) {
    if (citations.some(({ start, end }) => start < each.end && end > each.start)) continue;
    if (each.reason === 'contradicted' || !byStart.has(each.start)) byStart.set(each.start, each);
  }
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

/** Max. characters of a sentence in a warning, and sentences that are named; set by hand. */
const maxShown = 200;
const maxNamed = 5;

/** Names the sentences whose sources say otherwise, unless another source says them. */
function* warnOfContradictions(answer: string, uncited: readonly UncitedText[]): Generator<SearchEvent> {
  const contradicted = uncited.filter(({ reason }) => reason === 'contradicted');
  for (const { start, end } of contradicted.slice(0, maxNamed)) {
    const shown = answer.slice(start, end).replace(/\s+/g, ' ').slice(0, maxShown).toWellFormed();
    yield { type: 'warning', code: 'contradicted', message: `Not cited, because its source says otherwise: ${shown}` };
  }
}

const repeating = Object.assign(new Error('it repeats itself.'), { name: 'ModelError', permanent: false });
const endless = Object.assign(new Error('its answer does not end.'), { name: 'ModelError', permanent: false });
