/**
 * The quotes and source pages of a run, as in the chat: the card of a marker, and the page opened at the quote. Outside of the
 * panel that a run is in, which scrolls. One a page.
 */
import { useEffect } from 'preact/hooks';
import { Reader } from '../../chat/answer/quotes/page-reader.tsx';
import { QuoteCard } from '../../chat/answer/quotes/quote-card.tsx';
import { activeMarker, loadPage, openPage } from '../../chat/thread/overlays.ts';
import { client } from '../../dashboard/session.ts';
import './evidence.css';

export function Evidence() {
  useEffect(() => {
    loadPage.value = (snapshot, signal) => client().snapshot(snapshot, { signal });
    return () => {
      openPage.value = undefined;
      activeMarker.value = undefined;
    };
  }, []);
  return (
    <div class="evidence">
      <Reader />
      <QuoteCard />
    </div>
  );
}
