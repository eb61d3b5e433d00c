/** Lists of pages that may be read: merged over providers and queries, or named by the request itself. */
import { allows, type SearchRequest, type SourceRules } from '../../../protocol/index.ts';
import { addressPart } from '../address-pattern.ts';
import type { Hit } from '../ports/web.ts';
import { canonicalUrl } from './canonical-url.ts';
import type { Weigh } from './evidence/standing.ts';
import { fusionScore } from './fusion.ts';

/** Set by hand: more addresses than a person pastes into a prompt on purpose. */
const maxNamed = 5;

/**
 * The lists as one, best first: one hit per page, under the address it was first found with, and none that `rules` exclude. A page that one
 * list has several times counts there once.
 * `weigh` moves pages up or down.
 */
export function mergeHits(lists: readonly (readonly Hit[])[], rules: SourceRules, weigh?: Weigh): Hit[] {
  const merged = new Map<string, { hit: Hit; score: number }>();
  for (const hits of lists) {
    const listed = new Set<string>();
    hits.forEach((hit, rank) => {
      const key = canonicalUrl(hit.url);
      if (key === undefined || listed.has(key) || !allows(rules, hit.url)) return;
      listed.add(key);
      const known = merged.get(key);
      merged.set(key, {
        hit: known?.hit ?? hit,
        score: (known?.score ?? 0) + fusionScore(rank - (weigh?.(hit).places ?? 0)),
      });
    });
  }
  return [...merged.values()].sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

/** Pages that the request names: full addresses in its whitelist and in its prompt, at most five of each. */
export function hitsNamedBy(request: SearchRequest, rules: SourceRules): Hit[] {
  const listed = (request.source_whitelist ?? []).filter((entry) => /^https?:\/\/[^/]+\/./i.test(entry));
  const written = request.prompt.match(addresses)?.map((url) => url.replace(/[.,;:!?]{1,20}$/, '')) ?? [];
  return mergeHits([hitsOf(listed), hitsOf(written)], rules);
}

const addresses = new RegExp(String.raw`\bhttps?:\/\/${addressPart}+`, 'gi');

function hitsOf(urls: readonly string[]): Hit[] {
  return [...new Set(urls)].slice(0, maxNamed).map((url) => ({ url, title: '', snippet: '' }));
}
