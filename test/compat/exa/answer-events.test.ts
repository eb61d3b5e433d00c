/** The logs of real searches as the events of an answer of Exa. */
import { describe, expect, it } from 'vitest';
import type { CompletedEvent } from '../../../protocol/index.ts';
import { answerText } from '../../../src/compat/answer-text.ts';
import { answerEvents } from '../../../src/compat/exa/answer-events.ts';
import { completedNames, formatLog, otherNames, recordedRun } from '../recorded-log.ts';

interface Chunk {
  readonly choices: { delta: { content?: string }; finish_reason: string | null }[];
  readonly citations?: { url: string; text?: string }[];
}

describe.each([false, true])('the events of an answer, to a reader that lags: %s', (lags) => {
  it.each(completedNames)('have all of the text, after the citations in the order of their numbers: %s', (name) => {
    const run = recordedRun(name);
    const lines = formatLog(run.log, answerEvents(run, true), lags).split('\n\n');
    expect(lines.splice(-2)).toEqual(['data: [DONE]', '']);
    const chunks = lines.map((line) => JSON.parse(line.replace(/^data: /, '')) as Chunk);
    const terminal = run.ended as CompletedEvent;
    expect(chunks.map(({ choices }) => choices[0]!.delta.content ?? '').join('')).toBe(answerText(terminal));
    const cited = chunks.flatMap(({ citations }) => (citations === undefined ? [] : [citations]));
    const urls = terminal.sources.map(({ url }) => url);
    expect(cited.map((citations) => citations.map(({ url }) => url))).toEqual([urls, urls]);
    const texts = terminal.sources.map(({ excerpt, snippet }) => excerpt?.text ?? snippet ?? '');
    expect(cited.map((citations) => citations.map(({ text }) => text))).toEqual([urls.map(() => undefined), texts]);
    expect(chunks.at(-1)!.citations).toBe(cited.at(-1));
    expect(chunks.map(({ choices }) => choices[0]!.finish_reason).filter(Boolean)).toEqual(['stop']);
  });

  it('have the citations once where no texts are asked for', () => {
    const run = recordedRun('text');
    const text = formatLog(run.log, answerEvents(run, false), lags);
    expect(text.match(/"citations"/g)).toHaveLength(1);
  });

  it.each(otherNames)('end with the error of a search that has no answer: %s', (name) => {
    const run = recordedRun(name);
    const events = formatLog(run.log, answerEvents(run, false), lags).trimEnd().split('\n\n');
    const last = JSON.parse(events.at(-1)!.replace(/^data: /, '')) as object;
    expect(last).toEqual({ error: expect.any(String), tag: expect.stringMatching(/^[A-Z_]+$/) });
  });
});
