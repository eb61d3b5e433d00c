/** The format of a file is recognised by its first bytes, on the thread that serves every account: no bytes may hold it up. */
import { describe, expect, it } from 'vitest';
import { pageKindOf } from '../../src/web/extract/page-kind.ts';

const kindOf = (text: string) => pageKindOf(Buffer.from(text), { contentType: '', url: 'file:///notes' });

describe('the format of a file', () => {
  it.each([
    ['<p>A note.</p>', 'html'],
    ['\n <!-- made by hand -->\n<!---->\n<!DOCTYPE html><p>A note.</p>', 'html'],
    ['<!-- a > b -- c --><html>', 'html'],
    ['<!-- made by hand -->\n# Notes', 'text'],
    ['<!-- not ended <p>A note.</p>', 'text'],
  ])('is found after comments: %j', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  // Each comment more took twice the time: 23 of them a second, and 70 for ever.
  it.each(['<!-- a -->\n', '<!---->', '<!-- -->\n\n<!--', '-->'])(
    'is found in text of many comments and no page: %j',
    (comment) => {
      expect(kindOf(`<!-- a -->${comment.repeat(70)}# Notes`)).toBe('text');
    },
  );
});
