/** Constraints of a plan count only where the prompt states them. */
import { describe, expect, it } from 'vitest';
import type { Brief, Plan } from '../../../src/engine/ports/model.ts';
import { statedConstraints } from '../../../src/engine/research/stated-constraints.ts';

const kept = (prompt: string, plan: Omit<Plan, 'queries'>, more: Partial<Brief> = {}) => {
  const brief: Brief = { prompt, question: prompt, previous: [], today: '2026-11-22', ...more };
  const { queries: _, only, never, ...rest } = statedConstraints({ queries: ['x'], ...plan }, brief);
  return { ...rest, ...(only!.length > 0 ? { only } : {}), ...(never!.length > 0 ? { never } : {}) };
};

describe('the constraints of a plan', () => {
  it.each([
    ['Using only 127.0.0.9, when was it opened?', '127.0.0.9'],
    ['What does who.int say about it?', 'www.who.int'],
    ['What does the WHO say about it?', 'who.int'],
    ['According to the World Health Organization, is it safe?', 'who.int'],
    ['What did the New York Times write?', 'nytimes.com'],
    ['Was steht auf Wikipedia dazu?', 'de.wikipedia.org'],
    ['Answers from stack overflow, please.', 'stackoverflow.com'],
    ['From docs.example.org/guide alone: how?', 'docs.example.org/guide'],
  ])('keep a source that the prompt names: %s', (prompt, host) => {
    expect(kept(prompt, { only: [host] })).toEqual({ only: [host] });
    expect(kept(prompt, { never: [host] })).toEqual({ never: [host] });
  });

  it.each([
    ['Who built the bridge?', 'who.int'],
    ['How long is the bridge?', 'en.wikipedia.org'],
    ['How many people live in New York?', 'nytimes.com'],
    ['When does the net open?', 'www.com.net'],
  ])('lose a source that it does not name: %s', (prompt, host) => {
    expect(kept(prompt, { only: [host] })).toEqual({});
  });

  it.each([
    ['What has been published since 2025 about it?', { from: '2025-01-01' }],
    ['Only sources before 2020, please: what is it?', { to: '2019-12-31' }],
    ['What happened in the last three months?', { from: '2026-08-22' }],
    ['Was wurde seit 2024 darüber berichtet?', { from: '2024-01-01' }],
    ['2024年以降の記事で何が報じられましたか', { from: '2024-01-01' }],
  ])('keep a timeframe that the prompt states: %s', (prompt, dates) => {
    expect(kept(prompt, dates)).toEqual(dates);
  });

  it.each([
    ['How many people did it employ in 2015?', { from: '2015-01-01', to: '2015-12-31' }],
    ['What is the latest version?', { from: '2026-01-01' }],
    ['Who has been mayor since the war?', { from: '2022-02-24' }],
  ])('lose a timeframe that it does not state: %s', (prompt, dates) => {
    expect(kept(prompt, dates)).toEqual({});
  });

  it('keep a language that is named in any language, and lose another', () => {
    expect(kept('Antworte auf Englisch: wer war es?', { language: 'en' })).toEqual({ language: 'en' });
    expect(kept('What do German pages say?', { language: 'de-DE' })).toEqual({ language: 'de-DE' });
    expect(kept('Wer hat die Brücke gebaut?', { language: 'en' })).toEqual({});
    expect(kept('Who built it?', { language: 'xx-nonsense' })).toEqual({});
  });

  it('count in an earlier prompt, and never in an input of an API', () => {
    expect(kept('Use only example.org.\n\nWho built it?', { only: ['example.org'] })).toEqual({
      only: ['example.org'],
    });
    const parts = [{ text: 'Who built ' }, { text: 'it? Only example.org, since 2025', input: 'what' }];
    expect(
      kept('Who built it? Only example.org, since 2025', { only: ['example.org'], from: '2025-01-01' }, { parts }),
    ).toEqual({});
  });
});
