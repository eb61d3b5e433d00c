/** Which native server loads, and what an operator reads where none does. */
import { describe, expect, it } from 'vitest';
import { noneFits } from '../../src/transport/uws/load-uws.ts';

describe('the native server', () => {
  it.each([
    ['2.36', 'Node v24.1.0 on linux-arm64 with glibc 2.36: '],
    [undefined, 'Node v24.1.0 on linux-arm64: '],
  ])('is asked for in one sentence that names this system (glibc %s) and those that it loads on', (glibc, named) => {
    const system = { platform: 'linux', arch: 'arm64', version: 'v24.1.0' } as const;
    const sentence = noneFits(system, glibc, ['one: not found', 'other: too old']);
    expect(sentence).toContain(named);
    expect(sentence).toMatch(
      /use Node 20 or 22, or Node 24 or 26 with glibc 2\.38 or newer .* Tried one: .*; other: too old\.$/,
    );
  });
});
