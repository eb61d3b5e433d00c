/** What is open over or beside the answers: the quotes of a marker, and a source page. */
import { signal } from '@preact/signals';
import type { Citation, Source } from '../../../client/client.ts';

/** The citation marker that is hovered or focused; its quotes are shown next to it. */
export interface ActiveMarker {
  readonly claim: string;
  readonly citations: readonly Citation[];
  readonly sources: readonly Source[];
  readonly at: HTMLElement;
}
export const activeMarker = signal<ActiveMarker | undefined>(undefined);

/** The source page open beside the answer; with a citation, scrolled to its quote. */
export interface OpenPage {
  readonly snapshot: string;
  readonly source: Source | undefined;
  readonly citation: Citation | undefined;
}
export const openPage = signal<OpenPage | undefined>(undefined);

export function openSource(source: Source): void {
  openPage.value = { snapshot: source.snapshot, source, citation: undefined };
}

export function openCitation(citation: Citation, sources: readonly Source[]): void {
  const source = sources.find(({ id }) => id === citation.source_id);
  activeMarker.value = undefined;
  openPage.value = { snapshot: citation.snapshot, source, citation };
}
