/**
 * Pages that do not say a claim, because they are about something else: the one that shares most of the claim's words, and any. A model that
 * has only learned from claims beside their own page takes an overlap of a few words for support.
 */
import { readTokens } from '../../../src/engine/writing/support/reading/read-text.ts';

export interface OtherPage {
  /** Differs from page to page. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
}

/** Finds other pages for the claims about `pages`; the same pages result in the same choices. */
export function createOtherPages<Page extends OtherPage>(pages: readonly Page[]) {
  const stems = pages.map(({ title, text }) => stemsOf(`${title}\n${text}`));
  const counts = new Map<string, number>();
  for (const own of stems) for (const stem of own) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return {
    /** The page that shares most with a claim about the page `key`, each word counting by its rarity. Undefined if none shares any. */
    near(key: string, claim: string): Page | undefined {
      const wanted = [...stemsOf(claim)].map((stem) => ({
        stem,
        worth: Math.log(pages.length / (counts.get(stem) ?? pages.length)),
      }));
      let best: { page: Page; shared: number } | undefined;
      for (const [at, page] of pages.entries()) {
        if (page.key === key) continue;
        const shared = wanted.reduce((sum, { stem, worth }) => sum + (stems[at]!.has(stem) ? worth : 0), 0);
        if (shared > (best?.shared ?? 0)) best = { page, shared };
      }
      return best?.page;
    },
    /** Another page than `key`; `step` varies which. */
    far(key: string, step: number): Page {
      const own = pages.findIndex((page) => page.key === key);
      return pages[(own + 1 + (step % (pages.length - 1))) % pages.length]!;
    },
  };
}

function stemsOf(text: string): Set<string> {
  return new Set(
    readTokens(text, 0, text.length).flatMap(({ kind, stem }) =>
      kind === 'content' || kind === 'number' ? [stem] : [],
    ),
  );
}
