/**
 * The markers of an answer. Pointing at one, by mouse, keyboard or finger, shows its quotes; pressing it opens the page
 * at the cited words. A finger cannot point without pressing: its first press shows, its second opens.
 */
import type { Citation, Source } from '../../../client/client.ts';
import { webAddress } from '../../markdown/render.tsx';
import { pointed, readCitation } from '../thread/view.ts';

export interface MarkersProps {
  readonly claim: string;
  readonly markers: readonly { readonly n: number; readonly citations: readonly Citation[] }[];
  readonly sources: readonly Source[];
}

export function Markers({ claim, markers, sources }: MarkersProps) {
  return (
    <span class="markers">
      {markers.map(({ n, citations }) => (
        <Marker key={n} {...{ claim, n, citations, sources }} />
      ))}
    </span>
  );
}

type MarkerProps = Omit<MarkersProps, 'markers'> & MarkersProps['markers'][number];

export function Marker({ claim, n, citations, sources }: MarkerProps) {
  const [first] = citations;
  if (first === undefined) return null;
  const source = sources.find(({ id }) => id === first.source_id);
  const isShown = () => pointed.value?.at.dataset.marker === `${claim}-${n}`;
  const show = (event: { currentTarget: EventTarget }) => {
    pointed.value = { claim, citations, sources, at: event.currentTarget as HTMLElement };
  };
  const hide = () => {
    if (isShown()) pointed.value = undefined;
  };
  /** The way from the marker to its quotes takes a moment. */
  const hideUnlessRead = () => {
    if (document.querySelector('.quote-card:hover') === null) hide();
  };
  return (
    <a
      class="marker"
      href={webAddress(first.url) ?? '#main'}
      target="_blank"
      rel="noopener noreferrer nofollow"
      data-marker={`${claim}-${n}`}
      aria-label={`Source ${n}: ${source?.title ?? 'a page'}`}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(event)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setTimeout(hideUnlessRead, 120)}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(event)}
      onBlur={hide}
      onClick={(event) => {
        // Asked for in a tab of its own, it is the page on its site.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const byFinger = (event as unknown as PointerEvent).pointerType === 'touch';
        if (byFinger && !isShown()) show(event);
        else readCitation(first, sources);
      }}
    >
      {n}
    </a>
  );
}

/** Text that a marker speaks for; it is lit while that marker is pointed at. */
export function ClaimText({ claim, text }: { readonly claim: string; readonly text: string }) {
  return <span class={pointed.value?.claim === claim ? 'claim claim-lit' : 'claim'}>{text}</span>;
}
