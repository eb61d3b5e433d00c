/** The pace of requests to one host. */
import { afterEach, expect, it, vi } from 'vitest';
import { neverAborted } from '../../../src/base/abort.ts';
import { withoutTurns } from '../../../src/base/fair-queue.ts';
import { visitPerHost } from '../../../src/corpus/ingest/per-host-queue.ts';

afterEach(() => vi.useRealTimers());

it('visits the next page of a host although the clock was set back since the one before', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const visited: string[] = [];
  const urls = ['https://one.example/1', 'https://one.example/2'];
  const limits = { connections: 1, connectionsPerHost: 1, delay: async () => 5 };
  const visit = async (url: string) => {
    visited.push(url);
    vi.setSystemTime(Date.now() - 40 * 86_400_000);
    return undefined;
  };
  await visitPerHost(urls, { ...limits, inTurn: withoutTurns }, visit, neverAborted);
  expect(visited).toEqual(urls);
});

it('leaves a host alone that asks for it, and then visits the page again, once', async () => {
  const visited: [url: string, isLast: boolean][] = [];
  const began = performance.now();
  const urls = ['https://one.example/1', 'https://one.example/2'];
  const limits = { connections: 1, connectionsPerHost: 1, delay: async () => 0, inTurn: withoutTurns };
  const visit = async (url: string, isLast: boolean) => {
    visited.push([url, isLast]);
    return url.endsWith('1') && !isLast ? 80 : undefined;
  };
  await visitPerHost(urls, limits, visit, neverAborted);
  expect(visited).toEqual([
    [urls[0], false],
    [urls[1], false],
    [urls[0], true],
  ]);
  expect(performance.now() - began).toBeGreaterThan(70);
});
