/**
 * From the model's stream to events that never have to be taken back. Text is released at safe points: whatever could be
 * the beginning of a marker waits until it is one or is not. A marker goes out only after its citation was checked; one
 * whose quote cannot be found is dropped and counted. So offsets never move, and a reader that knows nothing of citations
 * still sees correct `[n]`.
 */
import type { Citation, SearchEvent, TextResult } from '../../protocol/index.ts';
import { createClaims } from './claims.ts';
import type { Evidence, Model } from './ports.ts';
import type { SearchState } from './search-state.ts';

export interface AnswerTask {
  readonly prompt: string;
  readonly evidence: readonly Evidence[];
  readonly model: Model;
  readonly state: SearchState;
  readonly signal: AbortSignal;
}

const block = 'b1';

export async function* writeAnswer(
  task: AnswerTask,
): AsyncGenerator<SearchEvent, { text: string; status: TextResult['status'] }> {
  const { state } = task;
  const writer = createAnswerWriter(task.evidence, state);
  yield* state.step(
    { kind: 'write', title: 'Writing the answer' },
    (async function* () {
      state.usage.model_calls += 1;
      for await (const piece of task.model.write(task.prompt, task.evidence, task.signal)) {
        task.signal.throwIfAborted();
        yield* writer.push(piece);
      }
      yield* writer.finish();
      return { value: undefined, summary: `${writer.text().length} characters, ${state.citations.length} citations` };
    })(),
  );
  const text = writer.text();
  if (text !== '') {
    const citations = state.citations.map((citation) => citation.id);
    yield { type: 'answer.block.done', block, kind: 'markdown', text, citations };
  }
  return { text, status: text === '' ? 'not_found' : 'answered' };
}

/** A marker with the blanks before it: ` [2]`, `[1, 3]`. `[2](` is the text of a link. */
const marker = /([ \t]*)\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?!\()/g;
/** The end of a text that may still become a marker, with the blanks that would belong to it. */
const unfinished = /[ \t]*(?:\[[\d,\s]*\]?)?$/;
const fenceLine = /^ {0,3}(?:```|~~~)/;

/** `push` takes the model's pieces as they come, of any size, and gives the events that are safe to send. */
export function createAnswerWriter(evidence: readonly Evidence[], state: SearchState) {
  const claims = createClaims(evidence);
  let sent = '';
  let waiting = '';
  let fenced = false;
  /** The text that the next marker covers begins here; `claimEnd` is set while markers follow one another. */
  let claimStart = 0;
  let claimEnd: number | undefined;

  function* release(text: string): Generator<SearchEvent> {
    if (text === '') return;
    if (claimEnd !== undefined && text.trim() !== '') {
      claimStart = sent.length;
      claimEnd = undefined;
    }
    yield { type: 'answer.delta', block, from: sent.length, text };
    sent += text;
  }

  function* cite(blanks: string, numbers: readonly number[]): Generator<SearchEvent> {
    claimEnd ??= sent.length;
    const shown = new Set<number>();
    for (const number of numbers) {
      const citation = check(number, claimEnd);
      if (citation === undefined) state.usage.dropped_citations += 1;
      else {
        state.citations.push(citation);
        yield { type: 'citation.added', citation };
        if (!sent.slice(claimEnd).includes(`[${citation.n}]`)) shown.add(citation.n);
      }
    }
    if (shown.size === 0) return;
    const text = `${sent.length > claimEnd ? '' : blanks}${[...shown].map((n) => `[${n}]`).join('')}`;
    yield { type: 'answer.delta', block, from: sent.length, text };
    sent += text;
  }

  function check(number: number, end: number): Citation | undefined {
    const piece = evidence[number - 1];
    const found = piece && claims.find(sent, claimStart, end, piece);
    if (piece === undefined || found === undefined) return undefined;
    const { source } = state.source(piece);
    return {
      id: `cit_${state.citations.length + 1}`,
      source_id: source.id,
      n: source.n,
      url: source.url,
      block,
      start: found.claimStart,
      end: found.claimEnd,
      quote: piece.text.slice(found.start, found.end),
      source_start: piece.start + found.start,
      source_end: piece.start + found.end,
      snapshot: piece.snapshot,
      support: found.support,
      score: found.score,
    };
  }

  function* drain(final: boolean): Generator<SearchEvent> {
    while (waiting !== '') {
      const newline = waiting.indexOf('\n');
      const line = newline === -1 ? waiting : waiting.slice(0, newline + 1);
      const lineStart = sent.lastIndexOf('\n') + 1;
      // A line of code, or one that may open a fence: whole lines only. In code, "[1]" is code.
      if (fenced || (lineStart === sent.length && /^ {0,3}[`~]/.test(line))) {
        if (newline === -1 && !final) return;
        const isFence = fenceLine.test(line);
        if (isFence) fenced = !fenced;
        if (isFence || fenced) {
          yield* release(line);
          waiting = waiting.slice(line.length);
          continue;
        }
      }
      const found = [...line.matchAll(marker)].find(
        (match) => !insideCode(sent.slice(lineStart) + line.slice(0, match.index)),
      );
      if (found === undefined) {
        const safe = newline !== -1 || final ? line.length : (unfinished.exec(line)?.index ?? line.length);
        yield* release(line.slice(0, safe));
        waiting = waiting.slice(safe);
        if (safe < line.length) return;
        continue;
      }
      // The next character decides whether this is a marker or the text of a link.
      if (found.index + found[0].length === waiting.length && !final) {
        yield* release(line.slice(0, found.index));
        waiting = waiting.slice(found.index);
        return;
      }
      yield* release(line.slice(0, found.index));
      waiting = waiting.slice(found.index + found[0].length);
      yield* cite(found[1] ?? '', (found[2] ?? '').split(',').map(Number));
    }
  }

  return {
    text: () => sent,
    *push(piece: string): Generator<SearchEvent> {
      waiting += sent === '' && waiting === '' ? piece.trimStart() : piece;
      yield* drain(false);
    },
    *finish(): Generator<SearchEvent> {
      waiting = waiting.trimEnd();
      yield* drain(true);
    },
  };
}

/** Whether a line breaks off within `code`: its backticks are odd in number. */
function insideCode(line: string): boolean {
  return (line.split('`').length - 1) % 2 === 1;
}
