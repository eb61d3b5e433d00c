/** What the rounds of research announce, count and warn about, with sources and a model that do as a test says. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type CompletedEvent, type SearchEvent, SearchRequest } from '../../../protocol/index.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import type { Corpus } from '../../../src/engine/ports/corpus.ts';
import type { Model } from '../../../src/engine/ports/model.ts';
import type { Passage } from '../../../src/engine/ports/snapshot.ts';
import type { Hit, PageInfo, PageReader, WebQuery } from '../../../src/engine/ports/web.ts';
import type { EnginePorts } from '../../../src/engine/ports.ts';

describe('a deep search with notes', () => {
  it('announces each source before it is cited, also a passage that an earlier round had no room for', async () => {
    const first = Array.from({ length: 20 }, (_, at) => passage(`First ${at}`));
    const second = Array.from({ length: 20 }, (_, at) => passage(`Second ${at}`));
    const isFirst = (text: string) => text.includes('first') || text.includes('again');
    let round = 0;
    const events = await research(
      {
        corpus: corpusOf((text) => (isFirst(text) ? first : second)),
        model: {
          plan: async () => ({ queries: ['first bridges'] }),
          async reflect(_brief, evidence) {
            round += 1;
            if (round > 1) return { enough: true, queries: [] };
            const notes = [{ evidence: 1, fact: 'Built of green stone.', quote: evidence[0]!.text }];
            return { enough: false, queries: ['again bridges', 'new stones'], notes };
          },
          async *write(_brief, evidence) {
            for (const { n, text } of evidence) yield `${text} [${n}]\n\n`;
          },
        },
      },
      { effort: 'deep' },
    );
    const announced = new Set<string>();
    let citations = 0;
    for (const event of events) {
      if (event.type === 'source.added') announced.add(event.source.id);
      if (event.type !== 'citation.added') continue;
      citations += 1;
      expect(announced).toContain(event.citation.source_id);
    }
    expect(citations).toBeGreaterThan(20);
    expect(lastOf(events).sources).toHaveLength(announced.size);
  });
});

describe('a search with a provider', () => {
  it('warns of the query that failed, and not that no provider answered, if another query was answered', async () => {
    const search = async ({ text }: { readonly text: string }) => {
      if (text.startsWith('village')) throw Object.assign(new Error('it answered 429.'), { name: 'ProviderError' });
      return [hit('https://b.example/bridge')];
    };
    const plan = async () => ({ queries: ['bridge', 'village history'] });
    const reflect = async () => ({ enough: true, queries: [] });
    const ports = { model: { plan, reflect }, pages: pagesOf() };
    const some = await research({ ...ports, providers: [{ name: 'brave', search }] });
    expect(warningsOf(some)).toEqual(['provider_failed']);
    const none = { name: 'brave', search: async () => Promise.reject(new Error('down')) };
    expect(warningsOf(await research({ ...ports, providers: [none] }))).toEqual([
      'provider_failed',
      'partial_coverage',
    ]);
  });

  it('warns once of a provider that fails in every round, and once that none answered', async () => {
    let queries = 0;
    const failing = { name: 'brave', search: async () => Promise.reject(new Error(`down ${(queries += 1)}`)) };
    const corpus = corpusOf((text) => [passage(`About ${text.length}`)]);
    const reflect = async () => ({ enough: false, queries: [`bridge ${'x'.repeat(queries)}`] });
    const events = await research(
      { corpus, model: { reflect }, pages: pagesOf(), providers: [failing] },
      { effort: 'deep' },
    );
    expect(queries).toBeGreaterThan(2);
    expect(warningsOf(events)).toEqual(['provider_failed', 'partial_coverage']);
  });

  it('notifies providers that it waits for no longer, once another one has answered', async () => {
    const fast = { name: 'fast', search: async () => [hit('https://b.example/bridge')] };
    const slow = {
      name: 'slow',
      search: ({ late }: WebQuery) =>
        new Promise<Hit[]>((resolve) => late!.addEventListener('abort', () => resolve([hit('https://c.example/')]))),
    };
    const empty = { name: 'empty', search: async () => [] };
    const events = await research({ providers: [slow, empty, fast], pages: pagesOf() }, { effort: 'fast' });
    expect(summariesOf(events).join()).toContain('2 pages on the web');
  });

  it('reads a page once that the prompt names and the provider finds', async () => {
    const url = 'https://b.example/bridge';
    const found = { name: 'brave', search: async () => [hit(url), hit('https://c.example/')] };
    const prompt = `What does ${url} say about the bridge?`;
    const events = await research({ providers: [found], pages: pagesOf() }, { prompt, max: { pages: 2 } });
    expect(summariesOf(events)).toContain('2 of 2 pages read');
    expect(lastOf(events).usage.pages).toBe(2);
  });
});

describe('a search whose time runs out', () => {
  it('is partial if a page was left unread', async () => {
    const search = async () => {
      await sleep(600);
      return [hit('https://b.example/bridge')];
    };
    const events = await research(
      { providers: [{ name: 'slow', search }], pages: pagesOf() },
      { effort: 'fast', max: { seconds: 1 } },
    );
    expect(summariesOf(events)).toContain('0 of 1 page read');
    expect(warningsOf(events)).toEqual(['partial_coverage']);
    expect(lastOf(events)).toMatchObject({ status: 'partial', usage: { stop_reason: 'seconds' } });
  });

  it('is partial if another round was left out, and not if that was the last', async () => {
    const slow = { ...corpusOf(() => [passage('Slow')]) };
    const corpus: Corpus = { ...slow, search: (query, signal) => sleep(1_700).then(() => slow.search(query, signal)) };
    const max = { seconds: 3 };
    expect(lastOf(await research({ corpus }, { effort: 'balanced', max }))).toMatchObject({ status: 'partial' });
    expect(lastOf(await research({ corpus }, { effort: 'fast', max }))).toMatchObject({ status: 'answered' });
  });

  it('answers from the older pages that it found, if there is nothing of the timeframe of its prompt', async () => {
    const older = { ...corpusOf(() => [{ ...passage('Old'), published_at: '2011-05-04' }]) };
    const corpus: Corpus = {
      ...older,
      search: (query, signal) => sleep(1_700).then(() => older.search(query, signal)),
    };
    const plan = async () => ({ queries: ['bridge'], from: '2015-01-01' });
    const events = await research(
      { corpus, model: { plan } },
      { prompt: 'Which bridge was built since 2015?', effort: 'balanced', max: { seconds: 3 } },
    );
    expect(warningsOf(events)).toContain('source_wish_not_met');
    expect(lastOf(events)).toMatchObject({ status: 'partial', usage: { stop_reason: 'seconds' } });
    expect(lastOf(events).citations).toHaveLength(1);
  });
});

describe('an answer that breaks off', () => {
  const failing = (cited: boolean): Partial<Model> => ({
    async *write(_brief, evidence) {
      yield cited ? `${evidence[0]!.text} [1] And it` : 'The bridge';
      throw Object.assign(new Error('it refused to answer.'), { name: 'ModelError' });
    },
  });
  const fallbackModel: Model = {
    name: 'fallback',
    plan: async () => ({ queries: ['bridge'] }),
    reflect: async () => ({ enough: true, queries: [] }),
    async *write(_brief, evidence) {
      yield `${evidence[0]!.text} [1]`;
    },
    async *fill() {},
  };
  const messagesOf = (events: readonly SearchEvent[]) =>
    events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));

  it('is said to have ended early if nothing is written after it', async () => {
    const events = await research({ model: failing(true), fallbackModel });
    expect(messagesOf(events)).toEqual(['Writing ended early because of the model: it refused to answer.']);
    expect(lastOf(events).result).toMatchObject({
      status: 'partial',
      answer: expect.stringMatching(/\[1\] And it …$/),
    });
  });

  it('is said to have been continued without the model if it was', async () => {
    const events = await research({ model: failing(false), fallbackModel });
    expect(messagesOf(events)).toEqual(['Writing continued without the model: it refused to answer.']);
    expect(lastOf(events).result).toMatchObject({ answer: expect.stringMatching(/^The bridge …\n\n.*\[1\]$/) });
  });
});

it('warns that its budget was used up also if nothing was found', async () => {
  const reflect = async () => ({ enough: false, queries: ['stone bridges', 'old bridges'] });
  async function* write() {
    yield { status: 'not_found' as const };
  }
  const spent = await research({ model: { reflect, write } }, { max: { searches: 2 } });
  expect(lastOf(spent)).toMatchObject({ status: 'not_found', usage: { stop_reason: 'searches' } });
  expect(warningsOf(spent)).toEqual(['partial_coverage']);
  expect(warningsOf(await research({ model: { write } }))).toEqual([]);
});

it('does not change an event that was sent when what the search asked for arrives after its end', async () => {
  let report = (_tokens: number) => {};
  const plain = corpusOf(() => [passage('Late')]);
  const corpus: Corpus = {
    ...plain,
    search(query, signal, meter) {
      report = (tokens) => meter?.tokens('embeddings', tokens);
      return plain.search(query, signal);
    },
  };
  const last = lastOf(await research({ corpus }));
  const sent = JSON.stringify(last);
  report(1_000);
  expect(JSON.stringify(last)).toBe(sent);
});

function passage(name: string): Passage {
  const text = `The bridge ${name} was built of green stone near the village of ${name}.`;
  const url = `https://${name.toLowerCase().replace(' ', '-')}.example/`;
  return {
    snapshot: `snap_${name}`,
    url,
    title: `Page ${name}`,
    headings: '',
    text,
    start: 0,
    end: text.length,
    score: 1,
  };
}

function hit(url: string): Hit {
  return { url, title: 'The bridge of green stone', snippet: 'A bridge.' };
}

function corpusOf(search: (text: string) => readonly Passage[]): Corpus {
  return {
    search: async ({ text, limit }) => search(text).slice(0, limit),
    rank: async ({ pages }) =>
      pages.map(({ id, text, ...page }) => ({ ...passage('Web'), ...page, snapshot: id, text, end: text.length })),
    snapshot: async () => undefined,
    hasPage: async () => false,
    pageAt: async () => undefined,
    pages: async () => [],
    putSnapshot: async () => {},
  };
}

/** Every page can be read. */
function pagesOf(): PageReader {
  const text = 'The bridge of green stone was built in 1931.';
  const info = { warnings: [], links: [], from_cache: false } as unknown as PageInfo;
  return { read: async (url) => ({ snapshot: { id: `snap_${url}`, url, title: 'The bridge', text }, info }) };
}

/** A search whose model cites all of its evidence, except where `ports` say otherwise. */
async function research(
  { model, corpus, ...ports }: Partial<Omit<EnginePorts, 'model'>> & { readonly model?: Partial<Model> },
  request: Partial<SearchRequest> = {},
): Promise<SearchEvent[]> {
  const citing: Model = {
    name: 'scripted',
    plan: async () => ({ queries: ['bridge'] }),
    reflect: async () => ({ enough: false, queries: ['bridges of stone'] }),
    async *write(_brief, evidence) {
      for (const { n, text } of evidence) yield `${text} [${n}]\n\n`;
    },
    async *fill() {},
    ...model,
  };
  const engine = createEngine({ model: citing, corpus: corpus ?? corpusOf(() => [passage('Own')]), ...ports });
  const job = {
    search_id: 's',
    previous: [],
    request: SearchRequest.parse({ prompt: 'When was the bridge built?', ...request }),
  };
  const events: SearchEvent[] = [];
  for await (const event of engine.research(job, new AbortController().signal)) events.push(event);
  return events;
}

function lastOf(events: readonly SearchEvent[]): CompletedEvent {
  const last = events.at(-1);
  if (last?.type !== 'search.completed') throw new Error(`it ended with ${JSON.stringify(last)}`);
  return last;
}

function warningsOf(events: readonly SearchEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'warning' ? [event.code] : []));
}

function summariesOf(events: readonly SearchEvent[]): (string | undefined)[] {
  return events.flatMap((event) => (event.type === 'step.finished' ? [event.summary] : []));
}
