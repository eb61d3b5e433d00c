/** Which native server loads, and what an operator reads where none does. */
import { describe, expect, it } from 'vitest';
import { explainMissingBuild } from '../../src/transport/uws/load-uws.ts';

describe('the native server', () => {
  it.each([
    ['linux', 'arm64', 'v24.1.0', '2.36', /Node 24 with glibc 2\.36: it takes glibc 2\.38 .* or Node 22\.$/],
    ['linux', 'x64', 'v26.1.0', undefined, /without glibc, such as Alpine\.$/],
    ['linux', 'x64', 'v25.0.0', '2.41', /Node 25: use Node 22, 24 or 26\.$/],
    ['linux', 'riscv64', 'v24.1.0', '2.41', /for linux-riscv64\.$/],
    ['win32', 'arm64', 'v24.1.0', undefined, /for win32-arm64\.$/],
    ['darwin', 'arm64', 'v24.1.0', undefined, /is not installed, or is damaged: run `npm ci`/],
    ['linux', 'x64', 'v24.1.0', '2.41', /is not installed, or is damaged: run `npm ci`/],
    ['linux', 'x64', 'v22.1.0', '2.28', /is not installed, or is damaged: run `npm ci`/],
  ] as const)('is missed in one short sentence on %s-%s, %s, glibc %s', (platform, arch, version, glibc, expected) => {
    const sentence = explainMissingBuild({ platform, arch, version }, glibc);
    expect(sentence).toMatch(expected);
    expect(sentence.length).toBeLessThan(140);
  });
});
