/**
 * Events that never have to be retracted, from text in pieces of any size. Text is released at safe points: anything that
 * could be the start of a citation marker waits until that is decided. A marker is sent only after its citation was
 * checked; one whose quote cannot be found is dropped and counted. So offsets never move, and a client that ignores
 * citations still shows a correct `[n]`.
 */

import type { SearchEvent } from '../../../protocol/index.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { ResearchState } from '../research-state.ts';
import { createClaimCitations } from './claim-citations.ts';
import { type Fences, fencesAfter, isFenced, isSpan, noFences, openFence } from './code-in-markdown.ts';
import type { ClaimInDoubt, ClaimsJudge, Verdicts } from './judge-claims.ts';
import { createJudgeWait } from './judge-wait.ts';
import { createLinkGuard } from './link-guard.ts';
import { type FoundMarker, findMarker, markerStarts } from './markers/find-marker.ts';
import { createLeadMarkers } from './markers/lead-markers.ts';
import { numbersIn } from './markers/marker-numbers.ts';
import type { MarkerStyle } from './markers/marker-place.ts';
import { createSaysText } from './markers/quoted-numbers.ts';
import { createSourceListFilter } from './source-list.ts';

/** The only block of an answer. */
export const block = 'b1';

export interface AnswerWriter {
  /** The text released so far. */
  text(): string;
  /** Takes a piece of the model's text, of any size, and returns the events that are safe to send. */
  push(piece: string): SearchEvent[];
  /** The text is complete: returns the remaining events. */
  finish(): SearchEvent[];
  /** The claims that the text waits for after `finish`, in its order; checked in steps, between which nothing else is to be called. */
  inDoubt(): Generator<undefined, readonly ClaimInDoubt[]>;
  /** The events that waited, each when it is asked for, now that a judge has spoken. */
  settle(verdicts: Verdicts): Iterable<SearchEvent>;
  /** The stream broke off: what was sent stays and is closed with "…". Another stream may follow as a new paragraph. */
  breakOff(): SearchEvent[];
}

/** The markers in brackets that a text begins with. */
function markersAtStart(text: string): string {
  const [markers = ''] = /^(?:\\?\[{1,2}[^[\]\n]{1,60}\\?\]{1,2})*/.exec(text) ?? [];
  return numbersIn(markers) === undefined ? '' : markers;
}

/** What all steps of a work return in the end. */
function endOf<Value>(steps: Generator<undefined, Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Text that can be sent as it is: nothing in it could start a marker, code or a new line, or come before a marker. */
const plain = new RegExp(String.raw`^(?![^:]*:c)[^${markerStarts}\]\x60~\\\n]*[^${markerStarts}\]\x60~\\\s*_:]$`);

/**
 * A writer for one answer. It adds citations to `state`, and dropped markers to its usage. With a `judge`, the text waits
 * at the first claim that the check is not sure of, until the model has written the rest, or the judge has read what there
 * is by then: text that was sent can neither gain nor lose a marker. A judge that takes too long is not waited for.
 */
export function createAnswerWriter(
  evidence: readonly Evidence[],
  state: ResearchState,
  judge?: ClaimsJudge,
): AnswerWriter {
  const citations = createClaimCitations(evidence, state, block);
  const saysText = createSaysText(evidence);
  let links = createLinkGuard(evidence);
  let leads = createLeadMarkers();
  let lists = createSourceListFilter(evidence);
  const style: MarkerStyle = { known: evidence.length, hasBrackets: false, hasHashes: false, enumerated: 0 };
  let sent = '';
  let waiting = '';
  /** The code fences that are open at the start of the current line of `sent`. */
  let fences: Fences = noFences;
  let inPlainLine = false;
  /** The separator between text that broke off and the next stream, if one follows. */
  let gap = '';
  /** Start of the text that the next marker covers; `claimEnd` is set while markers follow one another. */
  let claimStart = 0;
  let claimEnd: number | undefined;
  /** What was written before the first of these markers: it comes before the first that is shown. */
  let claimSpaces = '';
  /** The numbers that they name. */
  let claimNumbers = new Set<number>();
  const wait = createJudgeWait(judge);
  /** The claims in doubt, while the text that waits is only surveyed. */
  let survey: ClaimInDoubt[] | undefined;

  function* release(given: string): Generator<SearchEvent> {
    // After a marker at the start of a line, of which nothing is shown.
    const isBare = claimEnd === sent.length && lineSent() === '';
    const text = isBare ? given.replace(/^[ \t]+/, '') : given;
    if (text === '') return;
    if (claimEnd !== undefined && text.trim() !== '') {
      claimStart = sent.length;
      claimEnd = undefined;
    }
    yield { type: 'answer.delta', block, from: sent.length, text };
    const lines = text.includes('\n') ? (lineSent() + text).split('\n').slice(0, -1) : [];
    fences = lines.reduce(fencesAfter, fences);
    sent += text;
  }

  function* cite(spaces: string, numbers: readonly number[]): Generator<SearchEvent> {
    if (claimEnd === undefined) {
      claimEnd = sent.length;
      claimSpaces = spaces;
      claimNumbers = new Set();
    }
    const shown = new Set<number>();
    for (const number of numbers) {
      // "[2][2]" is one citation.
      if (claimNumbers.has(number)) continue;
      claimNumbers.add(number);
      const marked = { text: sent, from: claimStart, to: claimEnd, number };
      if (survey !== undefined) {
        survey.push(...[citations.doubt(marked)].filter((claim) => claim !== undefined));
        continue;
      }
      const citation = citations.cite(marked);
      if (citation === undefined) continue;
      yield { type: 'citation.added', citation };
      if (!sent.slice(claimEnd).includes(`[${citation.n}]`)) shown.add(citation.n);
    }
    if (shown.size === 0) return;
    const text = `${sent.length > claimEnd ? '' : claimSpaces}${[...shown].map((n) => `[${n}]`).join('')}`;
    yield { type: 'answer.delta', block, from: sent.length, text };
    sent += text;
  }

  /** Whether the text has to wait at this marker, which follows what was sent. */
  function mustWait(numbers: readonly number[]): boolean {
    if (!wait.isPossible() || survey !== undefined) return false;
    const marked = { text: sent, from: claimStart, to: claimEnd ?? sent.length };
    return numbers.some((number) => citations.doubt({ ...marked, number }) !== undefined);
  }

  const lineSent = () => sent.slice(sent.lastIndexOf('\n') + 1);
  const isInFence = () => openFence(fences) !== undefined;

  /** Whether the line that ends with this is fenced code, or a fence. */
  function isFencedLine(line: string): boolean {
    return isFenced(fencesAfter(fences, (lineSent() + line).replace(/\n$/, '')));
  }

  function* drain(final: boolean): Generator<SearchEvent> {
    while (waiting !== '') {
      const newline = waiting.indexOf('\n');
      const isWhole = newline !== -1 || final;
      const line = newline === -1 ? waiting : waiting.slice(0, newline + 1);
      // Lines of code, and lines that may open a fence, are sent whole. In code, "[1]" is code.
      if (isInFence() || /^ {0,3}[`~]/.test(lineSent() + line)) {
        if (!isWhole) return;
        if (isFencedLine(line)) {
          yield* release(line);
          waiting = waiting.slice(line.length);
          continue;
        }
      }
      const styleBefore = { ...style };
      const { found, isSure = true, waitAt = line.length } = markerIn(line, isWhole);
      if (found === undefined) {
        yield* release(line.slice(0, waitAt));
        waiting = waiting.slice(waitAt);
        if (waitAt < line.length) return;
        continue;
      }
      yield* release(line.slice(0, found.index));
      waiting = waiting.slice(found.index);
      // Another backtick decides whether it is code.
      if (!isSure) return;
      if (mustWait(found.numbers)) {
        Object.assign(style, styleBefore);
        wait.begin();
        return;
      }
      waiting = waiting.slice(found.length);
      if (found.shown !== undefined) yield* release(found.spaces + found.shown);
      else if (found.numbers.length > 0) yield* cite(found.spaces, found.numbers);
      else waiting = found.spaces + waiting;
    }
  }

  /** The first marker that is not code, or not known to be code yet. */
  function markerIn(
    line: string,
    isWhole: boolean,
  ): { found?: FoundMarker; isSure?: boolean; waitAt?: number | undefined } {
    const before = lineSent();
    const context = { before, isWhole, afterMarker: claimEnd !== undefined, style, saysText };
    for (let from = 0; ; ) {
      const found = findMarker(line, context, from);
      if (found === undefined) return {};
      if ('waitAt' in found) return found;
      from = found.index + found.length;
      const code = isSpan(before + line.slice(0, found.index), line.slice(from), isWhole);
      if (code !== true) return { found, isSure: code === false };
    }
  }

  /** Whether what waits is a whole marker, and nothing else. */
  function isMarkerWaiting(): boolean {
    waiting = waiting.trimEnd();
    if (waiting === '' || waiting.includes('\n') || isInFence()) return false;
    const { found, isSure } = markerIn(waiting, true);
    return found?.index === 0 && found.shown === undefined && found.length === waiting.length && isSure === true;
  }

  function take(piece: string): SearchEvent[] {
    const text = gap === '' ? piece : piece.trimStart();
    if (text === '' && !wait.isOn()) return [];
    if (gap !== '') {
      waiting += gap;
      gap = '';
    }
    if (wait.isOn()) {
      waiting += text;
      const verdicts = wait.check(() => endOf(surveyWaiting(false)));
      if (verdicts === undefined) return [];
      citations.settle(verdicts);
      return [...drain(false)];
    }
    // A line that began as plain text, outside code, with nothing waiting: the common case of a stream.
    if (waiting === '' && inPlainLine && claimEnd === undefined && plain.test(text)) {
      const from = sent.length;
      sent += text;
      return [{ type: 'answer.delta', block, from, text }];
    }
    waiting += sent === '' && waiting === '' ? text.trimStart() : text;
    const events = [...drain(false)];
    const line = lineSent();
    inPlainLine = /\S/.test(line) && !isInFence() && isSpan(line, '', true) === false;
    return events;
  }

  /** The claims in doubt of all that waits, as if it were sent. */
  function* surveyWaiting(final: boolean): Generator<undefined, ClaimInDoubt[]> {
    const before = { sent, waiting, fences, claimStart, claimEnd, claimSpaces, claimNumbers };
    claimNumbers = new Set(claimNumbers);
    const styleBefore = { ...style };
    const found: ClaimInDoubt[] = [];
    survey = found;
    try {
      for (const _ of drain(final)) yield;
    } finally {
      survey = undefined;
      ({ sent, waiting, fences, claimStart, claimEnd, claimSpaces, claimNumbers } = before);
      Object.assign(style, styleBefore);
    }
    return found;
  }

  return {
    text: () => sent,
    push: (piece) => take(links.push(leads.push(lists.push(piece)))),
    finish() {
      const last = leads.push(lists.finish()) + leads.finish();
      const events = [...take(links.push(last)), ...take(links.finish())];
      state.usage.dropped_citations += lists.takeDropped();
      waiting = waiting.trimEnd();
      return wait.isOn() ? events : [...events, ...drain(true)];
    },
    *inDoubt() {
      return wait.isOn() ? yield* surveyWaiting(true) : [];
    },
    settle(verdicts) {
      citations.settle(verdicts);
      wait.end();
      return drain(true);
    },
    breakOff() {
      // Of what the guard holds, only markers are whole: "[1]" waits for a link that would begin like it.
      const events = [...take(links.push(leads.finish())), ...take(markersAtStart(links.finish()))];
      state.usage.dropped_citations += lists.takeDropped();
      // What follows begins on a line of its own, outside all code.
      links = createLinkGuard(evidence);
      leads = createLeadMarkers();
      lists = createSourceListFilter(evidence);
      if (wait.isOn()) {
        wait.end();
        events.push(...drain(false));
      }
      if (isMarkerWaiting()) events.push(...drain(true));
      waiting = '';
      if (sent === '') return events;
      const fence = openFence(fences);
      const end = fence ? `\n${fence}` : /[.!?…:]\s*$|\]\s*$/.test(sent) ? '' : ' …';
      inPlainLine = false;
      gap = '\n\n';
      return [...events, ...release(end)];
    },
  };
}
