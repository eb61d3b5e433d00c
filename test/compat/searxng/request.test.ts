/** The operators in a query of SearXNG's clients. */
import { expect, it } from 'vitest';
import { readOperators } from '../../../src/compat/searxng/request.ts';

it.each<[string, { prompt: string; only?: string[]; never?: string[] }]>([
  ['tall lighthouses', { prompt: 'tall lighthouses' }],
  ['site:a.example tall lighthouses', { prompt: 'tall lighthouses', only: ['a.example'] }],
  ['tall site:a.example/docs lighthouses', { prompt: 'tall lighthouses', only: ['a.example/docs'] }],
  ['lighthouses -site:a.example', { prompt: 'lighthouses', never: ['a.example'] }],
  ['lighthouses site:a.example OR site:b.example', { prompt: 'lighthouses', only: ['a.example', 'b.example'] }],
  ['lighthouses (site:a.example OR site:b.example)', { prompt: 'lighthouses', only: ['a.example', 'b.example'] }],
  ['lighthouses (site:a.example) high', { prompt: 'lighthouses high', only: ['a.example'] }],
  ['site:a.example | site:b.example high', { prompt: 'high', only: ['a.example', 'b.example'] }],
  ['site:a.example|site:b.example high', { prompt: 'high', only: ['a.example', 'b.example'] }],
  ['site:a.example AND -site:b.a.example high', { prompt: 'high', only: ['a.example'], never: ['b.a.example'] }],
  ['high site:"a.example", site:*.b.example', { prompt: 'high', only: ['a.example', '*.b.example'] }],
  ['high site:.gov', { prompt: 'high', only: ['.gov'] }],
  ['what does site: mean in a query?', { prompt: 'what does site: mean in a query?' }],
  ['site:a.example', { prompt: 'site:a.example', only: ['a.example'] }],
  ['website:a.example', { prompt: 'website:a.example' }],
  ['tea OR coffee site:a.example', { prompt: 'tea OR coffee', only: ['a.example'] }],
])('of %j are read', (query, { prompt, only = [], never = [] }) => {
  expect(readOperators(query)).toEqual({ prompt, only, never });
});
