/** What a request of Tavily's becomes. */
import { expect, it } from 'vitest';
import { TavilySearchRequest } from '../../../protocol/index.ts';
import { tavilySearch } from '../../../src/compat/tavily/search-request.ts';

const now = Date.UTC(2026, 2, 1, 12);

it.each<[string, object, object]>([
  ['nothing but a query', {}, { effort: 'fast' }],
  ['no answer', { include_answer: false }, { effort: 'fast' }],
  ['an advanced search', { search_depth: 'advanced' }, { effort: 'balanced' }],
  ['the last day', { time_range: 'd' }, { effort: 'fast', from: '2026-02-28' }],
  ['the last week', { time_range: 'week' }, { effort: 'fast', from: '2026-02-22' }],
  ['days of news', { topic: 'news', days: 3 }, { effort: 'fast', from: '2026-02-26' }],
  ['days of anything else, as older clients always send them', { topic: 'general', days: 3 }, { effort: 'fast' }],
  ['days without a topic', { days: 3 }, { effort: 'fast' }],
  [
    'a range of dates, before any other',
    { start_date: '2025-01-01', end_date: '2025-02-01', time_range: 'y', days: 1 },
    { effort: 'fast', from: '2025-01-01', to: '2025-02-01' },
  ],
  [
    'domains to include',
    { include_domains: ['a.org', '*.b.org'], exclude_domains: [] },
    { effort: 'fast', source_whitelist: ['a.org', '*.b.org'] },
  ],
  ['domains to exclude', { exclude_domains: ['c.org'] }, { effort: 'fast', source_blacklist: ['c.org'] }],
  ['fields that are null', { time_range: null, include_domains: null, max_results: null }, { effort: 'fast' }],
])('asks for %s', (_, asked, expected) => {
  const request = TavilySearchRequest.parse({ query: 'What?', ...asked });
  expect(tavilySearch(request, now).request).toEqual({ prompt: 'What?', answer: false, ...expected });
});

it('asks for domains to include without those to exclude', () => {
  const both = { include_domains: ['a.org'], exclude_domains: ['b.a.org'] };
  const { request, ...foreign } = tavilySearch(TavilySearchRequest.parse({ query: 'What?', ...both }), now);
  expect(request).toMatchObject({ source_whitelist: ['a.org'] });
  expect(request).not.toHaveProperty('source_blacklist');
  expect(foreign).toEqual({ excluded: ['b.a.org'] });
});
