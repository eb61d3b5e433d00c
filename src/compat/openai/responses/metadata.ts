/** What a client notes about a response, for itself. The limits are OpenAI's. */
import type { ResponseRequest } from '../../../../protocol/index.ts';
import { invalid } from '../../../base/errors.ts';

const maxPairs = 16;
const maxKey = 64;
const maxValue = 512;

/** The metadata of a request, empty if it has none. Throws a 400 that says which limit they exceed. */
export function metadataOf({ metadata }: Pick<ResponseRequest, 'metadata'>): Readonly<Record<string, string>> {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length > maxPairs) throw tooLong(`${maxPairs} pairs`, pairs.length);
  for (const [key, value] of pairs) {
    if (key.length > maxKey) throw tooLong(`${maxKey} characters`, key.length, 'keys of ');
    if (value.length > maxValue) throw tooLong(`${maxValue} characters`, value.length, 'values of ');
  }
  return metadata ?? {};
}

function tooLong(limit: string, got: number, what = '') {
  return invalid(['body', 'metadata'], `expected ${what}at most ${limit}; got ${got}`, 'too_long');
}
