/**
 * The citation markers of an answer. Hovering or focusing one shows its quotes; clicking it opens the source page at the
 * quote. Touch has no hover: the first tap shows the quotes, the second opens the page.
 */
import { useContext } from 'preact/hooks';
import type { Citation, Source } from '../../../client/client.ts';
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { webAddress } from '../../markdown/render.tsx';
import { AnswerAround, activeMarker, openQuote } from '../thread/overlays.ts';

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
  const answer = useContext(AnswerAround);
  if (first === undefined) return null;
  const source = sources.find(({ id }) => id === first.source_id);
  const isShown = () => activeMarker.value?.at.dataset.marker === `${claim}-${n}`;
  const show = (event: { currentTarget: EventTarget }) => {
    activeMarker.value = { claim, citations, sources, answer, at: event.currentTarget as HTMLElement };
  };
  const hide = () => {
    if (isShown()) activeMarker.value = undefined;
  };
  /** Leaves time to move the pointer from the marker to the card. */
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
      aria-label={fill(t.answer.source, { n, title: source?.title ?? t.answer.somePage })}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(event)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setTimeout(hideUnlessRead, 120)}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(event)}
      onBlur={(event) => {
        // A press on the card takes the focus from the marker, and must still find what it is on.
        const isOnCard = event.relatedTarget instanceof Element && event.relatedTarget.closest('.quote-card') !== null;
        if (!isOnCard) hide();
      }}
      onClick={(event) => {
        // In a new tab it opens the original page on its site.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const byFinger = (event as unknown as PointerEvent).pointerType === 'touch';
        if (byFinger && !isShown()) show(event);
        else openQuote(first, sources, answer);
      }}
    >
      {n}
    </a>
  );
}

/** A cited claim, highlighted while its marker is active. */
export function ClaimText({ claim, text }: { readonly claim: string; readonly text: string }) {
  return <span class={activeMarker.value?.claim === claim ? 'claim claim-lit' : 'claim'}>{text}</span>;
}
