/** The logs of real searches as the events of Tavily's research. */
import { describe, expect, it } from 'vitest';
import type { CompletedEvent } from '../../../protocol/index.ts';
import { researchEvents } from '../../../src/compat/tavily/research/events.ts';
import { citedIn, reportOf } from '../../../src/compat/tavily/research/report.ts';
import { completedNames, formatLog, otherNames, recordedRun } from '../recorded-log.ts';

interface Tool {
  readonly name: string;
  readonly id: string;
  readonly queries?: string[];
  readonly sources?: { url: string }[];
}

interface Delta {
  readonly content?: string | object;
  readonly sources?: object[];
  readonly tool_calls?: { readonly type: string; readonly tool_call?: Tool[]; readonly tool_response?: Tool[] };
}

function deltasOf(text: string): Delta[] {
  const lines = text.split('\n\n');
  expect(lines.splice(-2)).toEqual(['event: done', '']);
  return lines.map((line) => {
    const chunk = JSON.parse(line.replace(/^data: /, '')) as { choices: { delta: Delta }[] };
    return chunk.choices[0]!.delta;
  });
}

describe.each([false, true])('the events of research, to a reader that lags: %s', (lags) => {
  it.each(completedNames)('have all of the report, and its sources at the end: %s', (name) => {
    const run = recordedRun(name);
    const deltas = deltasOf(formatLog(run.log, researchEvents(run, 'auto'), lags));
    const terminal = run.ended as CompletedEvent;
    const contents = deltas.flatMap(({ content }) => (content === undefined ? [] : [content]));
    const whole = contents.every((each) => typeof each === 'string') ? contents.join('') : contents[0];
    expect(whole).toEqual(reportOf(terminal).content);
    expect(deltas.at(-1)!.sources).toEqual(citedIn(terminal));
  });

  it.each(completedNames)('answer each call of a tool once, and name what was searched for and found: %s', (name) => {
    const run = recordedRun(name);
    const deltas = deltasOf(formatLog(run.log, researchEvents(run, 'auto'), lags));
    const calls = deltas.flatMap(({ tool_calls }) => tool_calls?.tool_call ?? []);
    const responses = deltas.flatMap(({ tool_calls }) => tool_calls?.tool_response ?? []);
    expect(responses.map(({ id }) => id).sort()).toEqual(calls.map(({ id }) => id).sort());
    expect([...new Set(calls.map((call) => call.name))]).toEqual(['Planning', 'WebSearch', 'Generating']);
    expect(calls.find((call) => call.name === 'WebSearch')!.queries).toEqual([expect.any(String)]);
    const { sources } = run.ended as CompletedEvent;
    const found = responses.flatMap((response) => response.sources ?? []);
    expect(found.map(({ url }) => url)).toEqual(sources.map(({ url }) => url));
  });

  it.each(otherNames)('end with the error of a search that has no answer: %s', (name) => {
    const run = recordedRun(name);
    const events = formatLog(run.log, researchEvents(run, 'auto'), lags).trimEnd().split('\n\n');
    expect(events.pop()).toBe('event: done');
    const last = JSON.parse(events.at(-1)!.replace(/^data: /, '')) as object;
    expect(last).toEqual({ id: run.search_id, object: 'error', error: expect.any(String) });
  });
});
