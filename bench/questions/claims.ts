/**
 * Claims about pages, each true or false by its page, split by page into the parts that the model of claims learns from and those that are
 * reported ("unseen", "sealed" and "blind" written on 23 November 2026, "independent" written on 24 November 2026), each a file of the folder
 * claims. A line is a page, or a claim about a page above it; `way` says in which way it is true or false.
 */
import { readFileSync } from 'node:fs';

export interface ClaimPage {
  readonly kind: 'page';
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface ClaimLine {
  readonly kind: 'claim';
  readonly page: string;
  /** "paraphrase", "negation", "number", … */
  readonly way: string;
  readonly true: boolean;
  readonly claim: string;
}

/** The parts that the model learns from and that people may tune on. */
export const learnedSplits = ['development', 'later', 'wide', 'varied', 'genres', 'narratives', 'documents'] as const;
/** The parts that nobody looks at while tuning. */
export const heldOutSplits = ['held-out', 'fresh', 'unseen', 'sealed', 'blind', 'independent'] as const;

export type Split = (typeof learnedSplits)[number] | (typeof heldOutSplits)[number];

/** The claims of one part with their pages, in the order of the file. */
export function readClaims(split: Split): (ClaimLine & { readonly about: ClaimPage })[] {
  const lines = readFileSync(new URL(`./claims/${split}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const pages = new Map<string, ClaimPage>();
  return lines.flatMap((text) => {
    const line = JSON.parse(text) as ClaimPage | ClaimLine;
    if (line.kind === 'claim') return [{ ...line, about: pages.get(line.page)! }];
    pages.set(line.id, line);
    return [];
  });
}
