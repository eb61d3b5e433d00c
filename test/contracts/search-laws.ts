/**
 * The laws of a search's log, as functions over the frames that a reader got, whichever adapter brought them. A frame is
 * the wire's object: an event with search_id, seq and, where it stands for several entries, first_seq.
 */
import { expect } from 'vitest';
import {
  applyPatch,
  type Citation,
  isTerminal,
  type SearchEvent,
  type SearchFrame,
  type Source,
  type StructuredObject,
  searchEvents,
  type TextResult,
} from '../../protocol/index.ts';

/** What a client knows after some frames; equal frames, however merged, give an equal state. */
export interface ClientState {
  readonly blocks: Record<string, string>;
  readonly output: StructuredObject;
  readonly citations: readonly string[];
  readonly sources: readonly string[];
  readonly openSteps: readonly string[];
  readonly terminal: SearchEvent | undefined;
}

export function stateAfter(all: readonly SearchFrame[]): ClientState {
  const frames = lastAttempt(all);
  const blocks: Record<string, string> = {};
  const output: StructuredObject = {};
  const citations: string[] = [];
  const sources: string[] = [];
  const steps = new Set<string>();
  let terminal: SearchEvent | undefined;
  for (const frame of frames) {
    if (frame.type === 'answer.delta') blocks[frame.block] = (blocks[frame.block] ?? '') + frame.text;
    else if (frame.type === 'result.patch') for (const op of frame.ops) applyPatch(output, op);
    else if (frame.type === 'citation.added') citations.push(frame.citation.id);
    else if (frame.type === 'source.added') sources.push(frame.source.id);
    else if (frame.type === 'step.started') steps.add(frame.step_id);
    else if (frame.type === 'step.finished') steps.delete(frame.step_id);
    else if (isTerminal(frame)) terminal = frame;
  }
  return { blocks, output, citations, sources, openSteps: [...steps], terminal };
}

/** Every law that one uninterrupted read from the start must keep. */
export function expectLawful(frames: readonly SearchFrame[]): void {
  expectValid(frames);
  expectDense(frames, 0);
  expect(frames[0]?.type).toBe('search.accepted');
  expectOneEnding(frames);
  const last = lastAttempt(frames);
  expectOrder(last);
  expectTextAgrees(last);
  expectStructureAgrees(last);
}

/** What holds of the frames of a background search: those since it was begun for the last time. */
function lastAttempt(frames: readonly SearchFrame[]): readonly SearchFrame[] {
  return frames.slice(frames.findLastIndex(({ type }) => type === 'search.restarted') + 1);
}

/** Every frame is what the contract says, and nothing else. */
function expectValid(frames: readonly SearchFrame[]): void {
  for (const frame of frames) {
    const parsed = searchEvents[frame.type].safeParse(frame);
    expect(parsed.error, `${frame.type} fits its schema`).toBeUndefined();
    expect(frame.search_id).toBe(frames[0]?.search_id);
    expect(Number.isNaN(Date.parse(frame.at))).toBe(false);
  }
}

/** No gap and nothing twice, whatever stands for several entries. */
export function expectDense(frames: readonly SearchFrame[], after: number): void {
  let last = after;
  for (const frame of frames) {
    expect(frame.first_seq ?? frame.seq).toBe(last + 1);
    expect(frame.seq).toBeGreaterThanOrEqual(frame.first_seq ?? frame.seq);
    last = frame.seq;
  }
}

/** A source before its citation, the text before the citation that covers it, a step's end after its beginning. */
function expectOrder(frames: readonly SearchFrame[]): void {
  const sources = new Set<string>();
  const lengths = new Map<string, number>();
  const started = new Set<string>();
  const finished = new Set<string>();
  let n = 0;
  for (const frame of frames) {
    if (frame.type === 'source.added') {
      n += 1;
      expect(frame.source.n, 'sources are numbered without gaps').toBe(n);
      sources.add(frame.source.id);
    } else if (frame.type === 'answer.delta') {
      expect(frame.from, 'a delta begins where its block ended').toBe(lengths.get(frame.block) ?? 0);
      lengths.set(frame.block, frame.from + frame.text.length);
    } else if (frame.type === 'citation.added') {
      expect(sources.has(frame.citation.source_id), 'the source came before').toBe(true);
      if (frame.citation.block !== undefined) {
        expect(frame.citation.end, 'the text came before').toBeLessThanOrEqual(lengths.get(frame.citation.block) ?? 0);
      }
    } else if (frame.type === 'step.started') {
      expect(started.has(frame.step_id)).toBe(false);
      started.add(frame.step_id);
    } else if (frame.type === 'step.finished') {
      expect(started.has(frame.step_id)).toBe(true);
      expect(finished.has(frame.step_id)).toBe(false);
      finished.add(frame.step_id);
    } else if (isTerminal(frame)) {
      expect([...finished].sort(), 'every step is finished').toEqual([...started].sort());
    }
  }
}

function expectOneEnding(frames: readonly SearchFrame[]): void {
  const endings = frames.filter((frame) => isTerminal(frame));
  expect(endings.length).toBe(1);
  expect(frames.at(-1)).toBe(endings[0]);
}

function expectTextAgrees(frames: readonly SearchFrame[]): void {
  const { blocks } = stateAfter(frames);
  for (const frame of frames) {
    if (frame.type === 'answer.block.done') expect(frame.text).toBe(blocks[frame.block]);
    if (frame.type === 'search.completed' && frame.evidence === undefined) {
      const result = frame.result as TextResult;
      expect(result.answer).toBe(Object.values(blocks).join(''));
      expect(result.citations).toEqual(frame.citations);
      expect(result.sources).toEqual(frame.sources);
    }
  }
}

function expectStructureAgrees(frames: readonly SearchFrame[]): void {
  const completed = frames.at(-1);
  if (completed?.type !== 'search.completed' || completed.evidence === undefined) return;
  const result = completed.result as { output?: unknown; evidence?: unknown };
  const output = result.evidence === undefined ? result : result.output;
  expect(stateAfter(frames).output).toEqual(output);
}

/** Each source has at most one excerpt, which is in its snapshot at its offsets and is not cut out of a sentence. */
export async function expectExcerptsHold(
  sources: readonly Source[],
  read: (snapshot: string) => Promise<string>,
): Promise<void> {
  for (const { excerpt, snapshot } of sources) {
    if (excerpt === undefined) continue;
    const { text, source_start, source_end } = excerpt;
    const page = await read(snapshot);
    expect(page.slice(source_start, source_end)).toBe(text);
    expect(text).toMatch(/[\p{L}\p{N}]/u);
    expect(text.length).toBeLessThanOrEqual(400);
    expect(page.slice(0, source_start)).toMatch(/(?:^|\n|[.!?]["')*_]*\s|^[\s>]*(?:[*+-]|\d+[.)]|\|)\s*)$/m);
    expect(page.slice(source_end)).toMatch(/^(?:\s|$)/);
  }
}

/** Each quote is in its snapshot at its offsets; `read` gives a snapshot's text. */
export async function expectCitationsHold(
  citations: readonly Citation[],
  answer: string | undefined,
  read: (snapshot: string) => Promise<string>,
): Promise<void> {
  for (const citation of citations) {
    const text = await read(citation.snapshot);
    expect(citation.quote.length).toBeGreaterThan(0);
    expect(text.slice(citation.source_start, citation.source_end)).toBe(citation.quote);
    if (answer === undefined) continue;
    expect(citation.end).toBeGreaterThan(citation.start);
    expect(answer.slice(citation.start, citation.end).trim()).not.toBe('');
    expect(answer.slice(citation.end)).toMatch(new RegExp(`^\\s*(?:\\[\\d+\\])*\\[${citation.n}\\]`));
  }
}
