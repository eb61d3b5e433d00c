/** Where the markers of an answer stand, and what stretch of the text each speaks for. */
import type { Citation } from '../../../client/client.ts';

export interface Claim {
  /** Of the first of its citations. */
  readonly id: string;
  /** `text.slice(start, end)` is what the citations support. */
  readonly start: number;
  readonly end: number;
  /** `text.slice(at, until)` are its markers, blanks before them included. Behind code they stand in a line of their own. */
  readonly at: number;
  readonly until: number;
  readonly markers: readonly { readonly n: number; readonly citations: readonly Citation[] }[];
}

const markers = /(?:\s*\n)?([ \t]*)((?:\[\d{1,4}\])+)/y;

/** In the order of the text; a citation whose marker has not come yet is left out. */
export function findClaims(text: string, citations: readonly Citation[]): Claim[] {
  const byPlace = new Map<number, { until: number; numbers: number[]; citations: Citation[] }>();
  for (const citation of citations) {
    markers.lastIndex = citation.end;
    const found = markers.exec(text);
    if (found === null) continue;
    const [, blanks = '', numbers = ''] = found;
    const until = markers.lastIndex;
    const at = until - numbers.length - blanks.length;
    const place = byPlace.get(at) ?? { until, numbers: numbersIn(numbers), citations: [] };
    place.citations.push(citation);
    byPlace.set(at, place);
  }
  const claims = [...byPlace].map(([at, place]): Claim => {
    const cited = (n: number) => place.citations.filter((citation) => citation.n === n);
    return {
      id: place.citations[0]!.id,
      start: Math.min(...place.citations.map(({ start }) => start)),
      end: Math.max(...place.citations.map(({ end }) => end)),
      at,
      until: place.until,
      markers: place.numbers.map((n) => ({ n, citations: cited(n) })).filter((marker) => marker.citations.length > 0),
    };
  });
  return claims.sort((a, b) => a.at - b.at);
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}
