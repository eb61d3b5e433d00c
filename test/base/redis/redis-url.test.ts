import { expect, it } from 'vitest';
import { parseRedisUrl } from '../../../src/base/redis/redis-url.ts';

const sentinels = { name: 'mymaster' };

it.each([
  ['redis://127.0.0.1', { host: '127.0.0.1', port: 6379, shown: '127.0.0.1:6379' }],
  ['redis://cache.internal:7000/2', { host: 'cache.internal', port: 7000, db: 2 }],
  ['redis://user:p%40ss@[::1]:7000', { host: '::1', username: 'user', password: 'p@ss', shown: '[::1]:7000' }],
  ['rediss://:secret@cache.internal', { host: 'cache.internal', password: 'secret', tls: {} }],
  [
    'redis+sentinel://10.0.0.1,s2:7000,[::1]:7001/mymaster',
    {
      ...sentinels,
      shown: '10.0.0.1,s2:7000,[::1]:7001',
      sentinels: [
        { host: '10.0.0.1', port: 26379 },
        { host: 's2', port: 7000 },
        { host: '::1', port: 7001 },
      ],
    },
  ],
  [
    'rediss+sentinel://user:p%40ss@s1/mymaster/3?sentinel_password=q%26',
    { ...sentinels, username: 'user', password: 'p@ss', sentinelPassword: 'q&', db: 3, enableTLSForSentinelMode: true },
  ],
  [
    'redis+cluster://10.0.0.1,[::1]:7001',
    {
      shown: '10.0.0.1,[::1]:7001',
      cluster: [
        { host: '10.0.0.1', port: 6379 },
        { host: '::1', port: 7001 },
      ],
    },
  ],
  ['rediss+cluster://user:p%40ss@n1:7000/', { shown: 'n1:7000', username: 'user', password: 'p@ss', tls: {} }],
])('reads %s', (url, expected) => {
  const found = parseRedisUrl(url);
  expect(found).toMatchObject(expected);
  expect(found?.shown).not.toContain('@');
});

it.each([
  '',
  'http://127.0.0.1',
  'redis://',
  'redis://a b',
  'redis://127.0.0.1/name',
  'redis://:%ff@127.0.0.1',
  'redis+sentinel://s1:26379',
  'redis+sentinel:///mymaster',
  'redis+sentinel://s1,,s2/mymaster',
  'redis+sentinel://s1:port/mymaster',
  'redis+sentinel://:%ff@s1/mymaster',
  'redis+cluster://',
  'redis+cluster://n1:port',
  'redis+cluster://:%ff@n1',
  'redis+cluster://n1/1',
])('refuses %j', (url) => expect(parseRedisUrl(url)).toBeUndefined());
