/** Sample calls of a stored version. */
import type { Design } from '../../protocol/index.ts';
import { samplePublishedCalls } from '../../protocol/sample-published-calls.ts';
import type { ShownVersion } from './design-records.ts';

/** `base_url` is the URL of this server as the caller sees it. The key is a placeholder. */
export function sampleCalls(
  { api_stub, version, interface: shown, example }: ShownVersion,
  base_url: string,
): ReturnType<typeof samplePublishedCalls> {
  const { inputs } = JSON.parse(shown) as Pick<Design, 'inputs'>;
  return samplePublishedCalls({
    api_stub,
    version,
    inputs,
    example: example === null ? undefined : JSON.parse(example),
    base_url,
  });
}
