/**
 * Events that never have to be taken back, from text in pieces of any size. Text is released at safe points: whatever
 * could be the beginning of a marker waits until it is one or is not. A marker goes out only after its citation was
 * checked; one whose quote cannot be found is dropped and counted. So offsets never move, and a reader that knows nothing
 * of citations still sees correct `[n]`.
 */
import type { Citation, SearchEvent } from '../../protocol/index.ts';
import { createClaims } from './claims.ts';
import { createLinkGuard } from './link-guard.ts';
import type { Evidence } from './ports.ts';
import type { SearchState } from './search-state.ts';

/** The only block of an answer. */
export const block = 'b1';

/** A marker with the blanks before it: ` [2]`, `[1, 3]`. `[2](` is the text of a link. */
const marker = /([ \t]*)\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?!\()/g;
/** The end of a text that may still become a marker, with the blanks that would belong to it. */
const unfinished = /[ \t]*(?:\[[\d,\s]*\]?)?$/;
const fenceLine = /^ {0,3}(?:```|~~~)/;

export interface AnswerWriter {
  /** What was released so far. */
  text(): string;
  /** Takes the model's pieces as they come, of any size, and gives the events that are safe to send. */
  push(piece: string): SearchEvent[];
  finish(): SearchEvent[];
  /** The stream broke off: what was sent stays and is closed with "…"; another stream may follow as a new paragraph. */
  breakOff(): SearchEvent[];
}

/** Text without anything that could begin a marker, code, a line or a blank before a marker goes out as it comes. */
const plain = /^[^[\]`~\n]*[^[\]`~\s]$/;

export function createAnswerWriter(evidence: readonly Evidence[], state: SearchState): AnswerWriter {
  const claims = createClaims(evidence);
  const links = createLinkGuard(evidence);
  let sent = '';
  let waiting = '';
  let fenced = false;
  let inPlainLine = false;
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

  function take(text: string): SearchEvent[] {
    if (text === '') return [];
    // A line that was begun in plain text, outside code, with nothing waiting: the common case of a stream.
    if (waiting === '' && !fenced && inPlainLine && plain.test(text)) {
      if (claimEnd === undefined) {
        const from = sent.length;
        sent += text;
        return [{ type: 'answer.delta', block, from, text }];
      }
      return [...release(text)];
    }
    waiting += sent === '' && waiting === '' ? text.trimStart() : text;
    const events = [...drain(false)];
    const line = sent.slice(sent.lastIndexOf('\n') + 1);
    inPlainLine = /\S/.test(line) && !insideCode(line);
    return events;
  }

  return {
    text: () => sent,
    push: (piece) => take(links.push(piece)),
    finish() {
      const events = take(links.finish());
      waiting = waiting.trimEnd();
      return [...events, ...drain(true)];
    },
    breakOff() {
      links.finish();
      waiting = '';
      if (sent === '') return [];
      const end = fenced ? '\n```\n\n' : /[.!?…:]\s*$|\]\s*$/.test(sent) ? '\n\n' : ' …\n\n';
      fenced = false;
      inPlainLine = false;
      return [...release(end)];
    },
  };
}

/** Whether a line breaks off within `code`: its backticks are odd in number. */
function insideCode(line: string): boolean {
  return (line.split('`').length - 1) % 2 === 1;
}
