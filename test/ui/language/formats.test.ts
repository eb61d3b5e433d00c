/** Durations as people read them, and the language of numbers and dates. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatDuration } from '../../../src/ui/components/format.ts';

describe('a duration', () => {
  it.each([
    [0.4, '< 1 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 secs'],
    [59_940, '59.9 secs'],
    [59_960, '1 min 0 secs'],
    [119_700, '2 mins 0 secs'],
    [125_000, '2 mins 5 secs'],
    [3_599_600, '1 hr 0 mins'],
    [11_400_000, '3 hrs 10 mins'],
  ])('of %d ms is shown as %s', (ms, shown) => {
    expect(formatDuration(ms)).toBe(shown);
  });
});

describe('the locale of numbers and dates', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each([
    [['de-AT', 'en'], 'de-AT'],
    [['zh-TW'], 'zh-CN'],
    [['zh-TW', 'zh-SG'], 'zh-SG'],
    [['pt-BR'], 'en-GB'],
  ])('of a browser with %j is %s', async (languages, locale) => {
    vi.resetModules();
    vi.stubGlobal('navigator', { languages });
    expect((await import('../../../src/ui/language/choice.ts')).locale).toBe(locale);
  });
});
