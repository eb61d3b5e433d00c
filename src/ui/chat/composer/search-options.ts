/** The options of a question, as the page edits them and as the request carries them. */
import type { OutputFormat } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../client/client.ts';
import { t } from '../../language/text.ts';

export const efforts = { fast: t.composer.fast, balanced: t.composer.balanced, deep: t.composer.deep } as const;
export type Effort = keyof typeof efforts;

export const sourceModes = { any: t.composer.anySource, only: t.composer.only, never: t.composer.never } as const;
export type SourceMode = keyof typeof sourceModes;

export interface Options {
  readonly effort: Effort;
  readonly sources: { readonly mode: SourceMode; readonly entries: readonly string[] };
  /** When sources were published, as ISO dates; empty for any time. */
  readonly dates: { readonly from: string; readonly to: string };
  /** A data: URL. */
  readonly image: string | undefined;
  readonly format: OutputFormat | undefined;
}

/** What belongs to a thread; the other options go on in a new one. */
export const newThreadOptions: Pick<Options, 'sources' | 'dates' | 'format'> = {
  sources: { mode: 'any', entries: [] },
  dates: { from: '', to: '' },
  format: undefined,
};
export const defaultOptions: Options = { ...newThreadOptions, effort: 'balanced', image: undefined };

/** `prompt` must not be blank. Options at their default are left out. `documents` are addresses: only they are asked then. */
export function buildRequest(
  prompt: string,
  { effort, sources, dates, image, format }: Options,
  documents: readonly string[] = [],
): SearchInput {
  const { mode, entries } = documents.length === 0 ? sources : { mode: 'only' as const, entries: documents };
  const lists = { any: {}, only: { source_whitelist: [...entries] }, never: { source_blacklist: [...entries] } };
  return {
    prompt: prompt.trim(),
    ...(effort === 'balanced' ? {} : { effort }),
    ...(entries.length === 0 ? {} : lists[mode]),
    ...(dates.from === '' ? {} : { from: dates.from }),
    ...(dates.to === '' ? {} : { to: dates.to }),
    ...(image === undefined ? {} : { image: image.replace(/^data:[^,]*,/, '') }),
    ...(format === undefined ? {} : { output_format: format, include: ['evidence'] as const }),
  };
}

/** Entries separated by whitespace, commas or semicolons. */
export function parseSourceList(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((entry) => entry !== ''))];
}
