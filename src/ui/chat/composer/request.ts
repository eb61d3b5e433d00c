/** What a question may carry besides its words, as the page holds it while it is made up, and as it is sent. */
import type { OutputFormat } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../client/client.ts';

export const efforts = { fast: 'Fast', balanced: 'Balanced', deep: 'Deep' } as const;
export type Effort = keyof typeof efforts;

export const sourceModes = { any: 'Any source', only: 'Only these', never: 'Never these' } as const;
export type SourceMode = keyof typeof sourceModes;

export interface Options {
  readonly effort: Effort;
  readonly sources: { readonly mode: SourceMode; readonly entries: readonly string[] };
  /** A picture as a data: address. */
  readonly image: string | undefined;
  readonly format: OutputFormat | undefined;
}

export const noOptions: Options = {
  effort: 'balanced',
  sources: { mode: 'any', entries: [] },
  image: undefined,
  format: undefined,
};

/** `prompt` is not blank. What was left as it is is left out. */
export function requestOf(prompt: string, { effort, sources, image, format }: Options): SearchInput {
  const { mode, entries } = sources;
  const lists = { any: {}, only: { source_whitelist: [...entries] }, never: { source_blacklist: [...entries] } };
  return {
    prompt: prompt.trim(),
    ...(effort === 'balanced' ? {} : { effort }),
    ...(entries.length === 0 ? {} : lists[mode]),
    ...(image === undefined ? {} : { image: image.replace(/^data:[^,]*,/, '') }),
    ...(format === undefined ? {} : { output_format: format, include: ['evidence'] as const }),
  };
}

/** Entries as people write them: with blanks, commas or lines between. */
export function readEntries(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((entry) => entry !== ''))];
}
