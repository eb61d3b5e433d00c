/** The cited claims of an answer: the span of text that a citation supports, and the position of its markers. */
import type { Citation } from '../../../client/client.ts';

export interface Claim {
  /** Id of its first citation. */
  readonly id: string;
  /** `text.slice(start, end)` is the text that the citations support. */
  readonly start: number;
  readonly end: number;
  /** `text.slice(at, until)` is its markers with the spaces before them. After a code block they are on a line of their own. */
  readonly at: number;
  readonly until: number;
  readonly markers: readonly { readonly n: number; readonly citations: readonly Citation[] }[];
}

const markers = /(?:\s*\n)?([ \t]*)((?:\[\d{1,4}\])+)/y;

/** In text order, without citations whose marker has not arrived yet. */
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
