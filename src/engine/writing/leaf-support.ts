/**
 * The evidence for a leaf's value. A value stays only if it is supported: by a span from an extractive model, by the words
 * that a model quoted (looked up in the evidence that it named, then in the rest), or by the value's own words in the
 * evidence. A value that the sources do not state is never passed on: it becomes `null`.
 */

import type { Citation } from '../../../protocol/index.ts';
import type { LeafValue } from '../ports/model.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { ResearchState } from '../research-state.ts';
import { createQuoteLocator, type LocatedQuote } from './locate-quote.ts';

interface Supported {
  /** `inferred`: the quote supports the value but does not contain it. */
  readonly leaf: LeafValue & { readonly inferred?: boolean };
  readonly citation?: Citation;
}

/** Checks the leaves of one answer: takes a leaf as a model returned it, and returns it as it may be sent, with its citation. */
export function createLeafSupport(evidence: readonly Evidence[], state: ResearchState): (leaf: LeafValue) => Supported {
  const locator = createQuoteLocator(evidence);

  function cite(leaf: LeafValue, piece: Evidence, { start, end, support }: Omit<LocatedQuote, 'score'>): Citation {
    const { source } = state.source(piece);
    return {
      id: `cit_${state.citations.length + 1}`,
      source_id: source.id,
      n: source.n,
      url: source.url,
      path: leaf.path,
      start: 0,
      end: String(leaf.value).length,
      quote: piece.text.slice(start, end),
      source_start: piece.start + start,
      source_end: piece.start + end,
      snapshot: piece.snapshot,
      support,
      score: 1,
    };
  }

  /** An extractive model's own span; one outside its evidence supports nothing. */
  function bySpan(leaf: LeafValue): Citation | undefined {
    const { evidence: n, start, end } = leaf.support!;
    const piece = evidence[n - 1];
    if (piece === undefined || !(start >= 0 && start < end && end <= piece.text.length)) return undefined;
    const exact = piece.text.slice(start, end).includes(String(leaf.value));
    return cite(leaf, piece, { start, end, support: exact ? 'exact' : 'normalised' });
  }

  function byQuote(leaf: LeafValue, { evidence: n, text }: NonNullable<LeafValue['quote']>): Supported | undefined {
    const named = evidence[n - 1];
    const pieces = [...(named === undefined ? [] : [named]), ...evidence.filter((piece) => piece !== named)];
    for (const piece of pieces) {
      const quote = locator.locateQuote(text, piece);
      if (quote === undefined) continue;
      const isStated = states(piece.text.slice(quote.start, quote.end), leaf.value);
      // A quote without the value supports it only if the value cannot be quoted: yes or no.
      if (isStated || typeof leaf.value === 'boolean') {
        return { leaf: { ...leaf, inferred: !isStated }, citation: cite(leaf, piece, quote) };
      }
    }
    if (typeof leaf.value === 'boolean') return undefined;
    for (const piece of pieces) {
      const quote = findValue(leaf.value, piece.text, (words) => locator.locateQuote(words, piece));
      if (quote !== undefined) return { leaf, citation: cite(leaf, piece, quote) };
    }
    return undefined;
  }

  return (leaf) => {
    if (leaf.value === null) return { leaf };
    if (leaf.quote === undefined) {
      const citation = leaf.support === undefined ? undefined : bySpan(leaf);
      return citation === undefined ? { leaf } : { leaf, citation };
    }
    const supported = byQuote(leaf, leaf.quote);
    if (supported !== undefined) return supported;
    state.usage.dropped_citations += 1;
    const reason = 'The sources do not state the value that the model returned.';
    return { leaf: { path: leaf.path, value: null, confidence: 0, reason } };
  };
}

/** Whether a quote contains the value: every word of a text, or the number itself. */
function states(quote: string, value: LeafValue['value']): boolean {
  if (typeof value === 'number') return numbersIn(quote).some(({ number }) => number === value);
  if (typeof value !== 'string') return false;
  const words = wordsOf(quote);
  const wanted = wordsOf(value);
  return wanted.length > 0 && wanted.every((word) => words.includes(word));
}

function findValue(
  value: LeafValue['value'],
  text: string,
  find: (words: string) => LocatedQuote | undefined,
): Omit<LocatedQuote, 'score'> | undefined {
  if (typeof value === 'string') return find(value);
  const found = numbersIn(text).find(({ number }) => number === value);
  return found && { start: found.at, end: found.at + found.text.length, support: 'normalised' };
}

/** Numbers as people write them: 1,234.5 and 1 234,5 and 1234.5. */
function numbersIn(text: string): { number: number; at: number; text: string }[] {
  return [...text.matchAll(/[-−]?\d+(?:[.,\u00a0\u202f ']\d{3})*(?:[.,]\d+)?/g)].flatMap((match) => {
    const shown = match[0].replace('−', '-');
    const readings = new Set([
      Number(shown.replace(/[,\u00a0\u202f ']/g, '')),
      Number(shown.replace(/[.\u00a0\u202f ']/g, '').replace(',', '.')),
    ]);
    return [...readings]
      .filter((number) => Number.isFinite(number))
      .map((number) => ({ number, at: match.index, text: match[0] }));
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
