/** The options of a question, as the page edits them and as the request carries them. */
import type { OutputFormat } from '../../../../protocol/index.ts';
import { parseSourceRule } from '../../../../protocol/source-rules.ts';
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

/** Whether sources are to be chosen and none are: the question would be asked of all of them. */
export function needsSource({ sources: { mode, entries } }: Options): boolean {
  return mode === 'only' && entries.length === 0;
}

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
    ...(image === undefined ? {} : { image: base64Of(image) }),
    ...(format === undefined ? {} : { output_format: format, include: ['evidence'] as const }),
  };
}

/** The Base64 of a data: URL. */
export function base64Of(url: string): string {
  return url.replace(/^data:[^,]*,/, '');
}

/** The data: URL of an image. Browsers recognise its type by its bytes. */
export function imageUrl(base64: string): string {
  return `data:image/png;base64,${base64}`;
}

/** A document of the index that the page knows: its address, and what its reader may call it. */
export interface KnownDocument {
  readonly address: string;
  readonly names: readonly string[];
}

/** What was typed into the list of sources. */
export interface SourceList {
  readonly entries: readonly string[];
  /** What the server would not take, as it was typed; empty if there is nothing of the kind. */
  readonly invalid: string;
}

/**
 * Reads entries separated by commas, semicolons, lines or blanks. The name of a known document is its address: with the blanks in it
 * and, on a line of its own, with commas and semicolons.
 */
export function parseSourceList(text: string, known: readonly KnownDocument[] = []): SourceList {
  const entries = new Set<string>();
  const invalid: string[] = [];
  const addressOf = (said: string) =>
    known.find(({ names }) => names.some((name) => name.toLowerCase() === said.toLowerCase()))?.address;
  const lines = text.split('\n').map((line) => line.trim());
  const parts = lines.flatMap((line) => (addressOf(line) === undefined ? line.split(/[,;]+/) : [line]));
  for (const part of parts.map((part) => part.trim())) {
    if (part === '') continue;
    const whole = addressOf(part);
    const read = (whole === undefined ? part.split(/\s+/) : [part]).map((word) => addressOf(word) ?? word);
    // Words that are no addresses belong together, as in the name of a document.
    if (read.every((entry) => parseSourceRule(entry) !== undefined)) for (const entry of read) entries.add(entry);
    else invalid.push(part);
  }
  return { entries: [...entries], invalid: invalid.join(', ') };
}
