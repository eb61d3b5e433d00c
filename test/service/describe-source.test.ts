/** What accounts see of a source. */
import { expect, it } from 'vitest';
import { describeSource } from '../../src/service/sources/describe-source.ts';
import type { StoredSource } from '../../src/sources/source-index.ts';

const stored: StoredSource = {
  ...{ id: 'src_1', source: 'url:x', owner: '', kind: 'url', state: 'failed', bytes: 0, pages: 0, done: 0, total: 0 },
  ...{ added_at: '2026-01-01T00:00:00.000Z', indexed_at: null, passages: null, failed: 1, touched_at: 0 },
  ...{ untouched_ms: 0, address: null, reason: null, name: '', failures: [] },
};

it('is no password that is in the URL of an old source or of its pages', () => {
  const url = 'https://ann:s3cr@t:x@example.org/a?mail=ben@example.org';
  const shown = 'https://example.org/a?mail=ben@example.org';
  const source = describeSource({
    ...stored,
    name: url,
    address: 'http://ann@example.org:8080/',
    failures: [{ source: url, reason: `The page moved to ${url}, or to HTTPS://:s3cret@example.org` }],
    truncated: 1,
    truncations: [url],
    reason: `No answer from ${url}.`,
  });
  expect(source).toMatchObject({
    name: shown,
    address: 'http://example.org:8080/',
    failures: [{ source: shown, reason: `The page moved to ${shown}, or to HTTPS://example.org` }],
    truncations: [shown],
    reason: `No answer from ${shown}.`,
  });
  expect(JSON.stringify(source)).not.toMatch(/ann|s3c/);
});

it('is every other name as it is stored', () => {
  for (const name of [
    'https://example.org/@ann',
    'https://example.org?to=a@b.example',
    'https://example.org/#@',
    'ann@example.org.md',
  ])
    expect(describeSource({ ...stored, name, truncated: 1, truncations: [name] })).toMatchObject({
      name,
      truncations: [name],
    });
  expect(describeSource({ ...stored, kind: 'file', name: 'http://a@b.txt' }).name).toBe('http://a@b.txt');
});
