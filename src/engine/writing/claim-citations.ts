/**
 * The citation of a claim: from the piece of evidence that a marker names to a checked quote, or to a dropped marker that
 * is counted. The check in code gives the verdict or, on a claim in doubt, a judge if one has spoken.
 */
import type { Citation, ClaimVerdict } from '../../../protocol/index.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { ResearchState } from '../research-state.ts';
import { type ClaimInDoubt, claimKey, type Verdicts } from './judge-claims.ts';
import { createQuoteLocator, type LocatedClaim } from './locate-quote.ts';
import { isPointerOnly } from './pointer-sentence.ts';

/** The text before a marker, `text.slice(from, to)`, and the number of the evidence that the marker names. */
export interface MarkedText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly number: number;
}

export interface ClaimCitations {
  /** The citation, which is added to the state; undefined if the marker is dropped. */
  cite(marked: MarkedText): Citation | undefined;
  /** The claim, if the check in code is not sure of it, and no judge was asked about it. */
  doubt(marked: MarkedText): ClaimInDoubt | undefined;
  /** From now on, these verdicts count, too. */
  settle(verdicts: Verdicts): void;
}

/** The citations of one answer, of the block `block`. */
export function createClaimCitations(
  evidence: readonly Evidence[],
  state: ResearchState,
  block: string,
): ClaimCitations {
  const locator = createQuoteLocator(evidence);
  const verdicts = new Map<string, ClaimVerdict | undefined>();

  function locate({ text, from, to, number }: MarkedText): ClaimInDoubt | undefined {
    const piece = evidence[number - 1];
    const found = piece && locator.locateClaim(text, from, to, piece);
    return found && !isPointerOnly(text.slice(found.claimStart, found.claimEnd))
      ? { text: text.slice(found.claimStart, found.claimEnd), piece, found }
      : undefined;
  }

  function add({ piece, found }: ClaimInDoubt, verdict: LocatedClaim['verdict']): Citation {
    const { source } = state.source(piece);
    const citation: Citation = {
      id: `cit_${state.citations.length + 1}`,
      source_id: source.id,
      n: source.n,
      url: source.url,
      block,
      start: found.claimStart,
      end: found.claimEnd,
      quote: piece.text.slice(found.start, found.end),
      source_start: piece.start + found.start,
      source_end: piece.start + found.end,
      snapshot: piece.snapshot,
      support: found.support,
      score: found.score,
      verdict,
    };
    state.citations.push(citation);
    return citation;
  }

  return {
    cite(marked) {
      const claim = locate(marked);
      const judged = claim && isInDoubt(claim) ? verdicts.get(claimKey(claim.piece, claim.text)) : undefined;
      const verdict = judged ?? claim?.found.verdict;
      const isCited = judged === undefined ? claim?.found.isCitable : judged === 'supported' || judged === 'partly';
      if (claim !== undefined && verdict !== undefined && isCited) return add(claim, verdict);
      state.usage.dropped_citations += 1;
      const isContradicted = claim !== undefined && verdict === 'contradicted';
      if (isContradicted) state.usage.contradicted_citations = (state.usage.contradicted_citations ?? 0) + 1;
      const { start, end } = locator.spanOf(marked.text, marked.from, marked.to);
      if (start < end)
        state.uncited.push({ block, start, end, reason: isContradicted ? 'contradicted' : 'unsupported' });
      return undefined;
    },

    doubt(marked) {
      const claim = locate(marked);
      return claim && isInDoubt(claim) && !verdicts.has(claimKey(claim.piece, claim.text)) ? claim : undefined;
    },

    settle(judged) {
      for (const [key, verdict] of judged) verdicts.set(key, verdict);
    },
  };
}

function isInDoubt({ found: { verdict } }: ClaimInDoubt): boolean {
  return verdict === 'partly' || verdict === 'unclear';
}
