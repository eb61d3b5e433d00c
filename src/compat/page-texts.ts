/** The whole texts of the pages that a search has found, for clients that ask for them with the results. */
import type { BodyCall } from '../service/calls.ts';
import type { Service } from '../service/service.ts';
import type { SearchHit } from './search-results.ts';

/** Characters of the texts of all results; set by hand: 20 pages as large as may be would make an answer of 100 MB. */
const maxTextCharacters = 8 * 1024 * 1024;

/** Cut to `maxCharacters` each; null for one that is gone, and for those that no answer has room for. */
export async function textsOf(
  service: Pick<Service, 'snapshot'>,
  call: BodyCall,
  hits: readonly SearchHit[],
  maxCharacters = Number.POSITIVE_INFINITY,
): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  let room = maxTextCharacters;
  for (const { snapshot } of hits) {
    const text = room > 0 ? await textOf(service, call, snapshot) : null;
    const cut = text && firstCharacters(text, maxCharacters);
    const fits = cut !== null && cut.length <= room;
    if (fits) room -= cut.length;
    texts.push(fits ? cut : null);
  }
  return texts;
}

function textOf(service: Pick<Service, 'snapshot'>, call: BodyCall, snapshot: string): Promise<string | null> {
  return service.snapshot(call, snapshot).then(
    ({ response }) => response,
    () => null,
  );
}

/** Without the half of a character at its end. */
export function firstCharacters(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
