/** What of the page is open at the moment, known to parts that are far from each other. */
import { signal } from '@preact/signals';
import type { Citation, Source } from '../../../client/client.ts';

/** The citations of a marker that is pointed at: their quotes are shown beside it. */
export interface Pointed {
  readonly claim: string;
  readonly citations: readonly Citation[];
  readonly sources: readonly Source[];
  readonly at: HTMLElement;
}
export const pointed = signal<Pointed | undefined>(undefined);

/** A page that is read beside the answer; with a citation, at its words. */
export interface Reading {
  readonly snapshot: string;
  readonly source: Source | undefined;
  readonly citation: Citation | undefined;
}
export const reading = signal<Reading | undefined>(undefined);

export function readSource(source: Source): void {
  reading.value = { snapshot: source.snapshot, source, citation: undefined };
}

export function readCitation(citation: Citation, sources: readonly Source[]): void {
  const source = sources.find(({ id }) => id === citation.source_id);
  pointed.value = undefined;
  reading.value = { snapshot: citation.snapshot, source, citation };
}
