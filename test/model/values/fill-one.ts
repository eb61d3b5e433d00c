/** One value of a template, filled from one passage without a model. */
import type { AllowedValues, PatternMatcher } from '../../../src/base/values/allowed-values.ts';
import { fill } from '../../../src/model/extractive/fill/fill.ts';

export function fillOne(
  path: string,
  type: 'string' | 'number' | 'boolean',
  text: string,
  title = 'Kestrel',
  prompt = `Facts about the ${title}`,
  allowed?: AllowedValues,
  matches?: PatternMatcher,
): unknown {
  const source = {
    n: 1,
    snapshot: `${title} ${text}`,
    url: 'https://a.example/1',
    title,
    headings: title,
    text,
    start: 0,
    score: 1,
  };
  return fill(prompt, [{ path, type, ...(allowed === undefined ? {} : { allowed }) }], [source], matches)[0]?.value;
}
