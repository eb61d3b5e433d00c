/** The names of sources, and whose they are. */
import { describe, expect, it } from 'vitest';
import { everybody, mayReadAddress, newUploadKey, ownerOfSource, sourceId } from '../../src/base/source-names.ts';

const mine = 'acc_mine';
const theirs = 'acc_theirs';

describe('the names of sources', () => {
  it('tell whose an uploaded file is, and only to its owner', () => {
    const url = `file:///uploads/${newUploadKey(mine)}/a.txt`;
    expect(mayReadAddress(url, mine)).toBe(true);
    expect(mayReadAddress(url, theirs)).toBe(false);
    expect(mayReadAddress(`file:///uploads/${newUploadKey(everybody)}/a.txt`, theirs)).toBe(true);
    expect(mayReadAddress('file:///docs/a.md', theirs)).toBe(true);
    expect(sourceId('url:https://a.example/')).toMatch(/^src_[0-9a-f]{24}$/);
  });

  it('begin with the account that a source belongs to, which no path or address of another source does', () => {
    expect(ownerOfSource('acc_mine/url:https://a.example/')).toBe(mine);
    expect(ownerOfSource('folder:/acc_mine/url:x')).toBe(everybody);
    expect(ownerOfSource('url:https://a.example/acc_mine/file:x')).toBe(everybody);
    expect(ownerOfSource('packages:/x/node_modules')).toBe('packages');
  });
});
