/** What a share link shows where its share was stored by a version that stored more. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newSecret } from '../../src/access/keys.ts';
import type { ThreadRecords } from '../../src/runs/records/thread-records.ts';
import { createSharedThreadCalls } from '../../src/service/threads/shared-threads.ts';

type Parts = Parameters<typeof createSharedThreadCalls>[0];

const source = (id: string) => ({ id, n: 1, url: `https://a.example/${id}`, title: id, snapshot: `page ${id}` });
const citation = (source_id: string) => ({ id: `c ${source_id}`, source_id, snapshot: `page ${source_id}` });
const private_ = { usage: { tokens_in: 1 }, timings: { total_ms: 1 } };
const sources = [source('s1'), source('s2')];
const citations = [citation('s1')];

async function open(turn: object) {
  const shared = { title: 't', created_at: '2026', expires_at: '2027', turns: [{ search_id: 's', ...turn }] };
  const threads = { shared: async () => JSON.stringify(shared) } as unknown as ThreadRecords;
  const corpus = { snapshot: async (id: string) => ({ url: id, title: id, text: id }) };
  const calls = createSharedThreadCalls({ threads, corpus } as unknown as Parts);
  const call = { token: newSecret(), address: '192.0.2.1' };
  const canOpen = (id: string) =>
    calls.sharedSnapshot(call, `page ${id}`).then(
      () => true,
      () => false,
    );
  return {
    turn: JSON.parse(await calls.sharedThread(call)).turns[0],
    opened: [await canOpen('s1'), await canOpen('s2')],
  };
}

describe('a share of an earlier version', () => {
  it('shows of an answer the pages that it cites, and no quotes of others', async () => {
    const result = { search_id: 's', answer: 'a [1]', nearest: [{ quote: 'secret' }], sources, citations, ...private_ };
    const { turn, opened } = await open({ sources, citations, result, ...private_ });
    const shown = { search_id: 's', sources: [source('s1')], citations };
    expect(turn).toEqual({ ...shown, result: { ...shown, answer: 'a [1]' } });
    expect(opened).toEqual([true, false]);
  });

  it('shows what a stopped search cites', async () => {
    const { turn, opened } = await open({ sources, partial: { answer: 'a', citations } });
    expect(turn).toEqual({ search_id: 's', sources: [source('s1')], partial: { answer: 'a', citations } });
    expect(opened).toEqual([true, false]);
  });

  it('leaves the fields of a structured answer as they are, whatever their names', async () => {
    const result = { usage: 'daily', sources: ['Nile'], timings: 1 };
    const { turn } = await open({ sources, citations, result });
    expect(turn.result).toEqual(result);
  });
});

it('is parsed once, however many of its pages are opened, and no longer shown once its link is revoked', async () => {
  const shared = {
    title: 't',
    created_at: '2026',
    expires_at: '2027',
    turns: [{ search_id: 's', sources, citations }],
  };
  let content: string | undefined = JSON.stringify(shared);
  const threads = { shared: async () => content } as unknown as ThreadRecords;
  const corpus = { snapshot: async (id: string) => ({ url: id, title: id, text: id }) };
  const calls = createSharedThreadCalls({ threads, corpus } as unknown as Parts);
  const call = { token: newSecret(), address: '192.0.2.1' };
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const first = await calls.sharedThread(call);
  await calls.sharedSnapshot(call, 'page s1');
  await expect(calls.sharedSnapshot(call, 'page s2')).rejects.toThrow('cites no such page');
  expect(await calls.sharedThread(call)).toBe(first);
  expect(parse).toHaveBeenCalledTimes(1);
  content = undefined;
  await expect(calls.sharedThread(call)).rejects.toThrow('This link does not work');
  await expect(calls.sharedSnapshot(call, 'page s1')).rejects.toThrow('This link does not work');
});
