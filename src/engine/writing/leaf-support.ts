/**
 * The evidence for a leaf's value. A value stays only if it is supported: by a span from an extractive model, or by words that a
 * model quoted, that are in the evidence and say the value. A value that the sources do not state is never passed on: it
 * becomes `null`. What counts as saying it: stated-value.ts.
 */

import type { Citation } from '../../../protocol/index.ts';
import { sentenceEnds } from '../../base/text/sentences/sentence-ends.ts';
import type { LeafValue } from '../ports/model.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { ResearchState } from '../research-state.ts';
import { createQuoteLocator } from './locate-quote.ts';
import type { LocatedQuote } from './match-quote.ts';
import { fieldWords, readValue } from './stated-value.ts';

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
    const field = fieldWords(leaf.path);
    for (const piece of [...(named === undefined ? [] : [named]), ...evidence.filter((each) => each !== named)]) {
      const quote = text === '' ? undefined : locator.locateQuote(text, piece);
      if (quote === undefined) continue;
      const said = readValue(leaf.value!, piece.text.slice(quote.start, quote.end), {
        field,
        // A few words decide nothing alone: what is around them in the piece that was named has to be about the field.
        around: piece === named ? sentenceAround(piece, quote.start, quote.end) : '',
      });
      if (said === undefined) continue;
      const { value, isStated } = said;
      return { leaf: { ...leaf, value, inferred: !isStated }, citation: cite({ ...leaf, value }, piece, quote) };
    }
    // Words found nowhere may be a paraphrase of what the piece says; then that is the quote.
    const claim = named && locator.locateClaim(text, 0, text.length, named);
    const said = claim && readValue(leaf.value!, named.text.slice(claim.start, claim.end), { field, around: '' });
    if (!said?.isStated) return undefined;
    return { leaf: { ...leaf, value: said.value }, citation: cite({ ...leaf, value: said.value }, named!, claim!) };
  }

  /** Looks in the evidence for a text that a model returned without a quote; nothing says that it is what was asked for. */
  function byItself(leaf: LeafValue, n: number): Supported | undefined {
    if (typeof leaf.value !== 'string') return undefined;
    const named = evidence[n - 1];
    for (const piece of named === undefined ? evidence : [named]) {
      const quote = locator.locateQuote(leaf.value, piece);
      if (quote !== undefined) return { leaf: { ...leaf, inferred: true }, citation: cite(leaf, piece, quote) };
    }
    return undefined;
  }

  return (leaf) => {
    if (leaf.value === null) return { leaf };
    if (leaf.quote === undefined) {
      const citation = leaf.support === undefined ? undefined : bySpan(leaf);
      return citation === undefined ? { leaf } : { leaf, citation };
    }
    const { text, evidence: n } = leaf.quote;
    const supported = text === '' ? byItself(leaf, n) : byQuote(leaf, leaf.quote);
    if (supported !== undefined) return supported;
    state.usage.dropped_citations += 1;
    const reason = 'The sources do not state the value that the model returned.';
    return { leaf: { path: leaf.path, value: null, confidence: 0, reason } };
  };
}

/** The sentence, item or row with this span, the question before it, and the headings above it: what it is about. */
function sentenceAround({ text, headings, title }: Evidence, start: number, end: number): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const to = newline === -1 ? text.length : newline;
  const ends = [...sentenceEnds(text, from, to)];
  const begins = [from, ...ends.filter((each) => each <= start)];
  const asked = text.slice(begins.at(-2) ?? from, begins.at(-1)).trimEnd();
  const first = asked.endsWith('?') ? begins.at(-2)! : begins.at(-1)!;
  return `${title} ${headings} ${text.slice(first, ends.find((each) => each >= end) ?? to)}`;
}
