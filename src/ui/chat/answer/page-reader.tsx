/** The panel beside the answer that shows a source page as it was read, at the cited quote. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CitewireError, PageContents } from '../../../client/client.ts';
import { IconButton } from '../../components/button.tsx';
import { CloseIcon, OpenIcon } from '../../components/icons.tsx';
import { webAddress } from '../../markdown/render.tsx';
import { describeFailure } from '../thread/failure-text.ts';
import { loadPage, type OpenPage, openPage } from '../thread/overlays.ts';
import { supportText } from './quote-card.tsx';
import { QuotedPage } from './quoted-page.tsx';
import { Monogram, siteOf } from './source-cards.tsx';

export function Reader() {
  const shown = openPage.value;
  return shown === undefined ? null : <Page key={shown.snapshot} shown={shown} />;
}

function close(): void {
  openPage.value = undefined;
}

function Page({ shown }: { readonly shown: OpenPage }) {
  const { snapshot, source, quote } = shown;
  const page = useSignal<PageContents | undefined>(undefined);
  const failure = useSignal<CitewireError | undefined>(undefined);
  const panel = useRef<HTMLElement>(null);
  const opener = useRef(document.activeElement);

  useEffect(() => {
    const leaving = new AbortController();
    loadPage
      .peek()(snapshot, leaving.signal)
      .then(
        (contents) => {
          page.value = contents;
        },
        (error) => {
          if (!leaving.signal.aborted) failure.value = error;
        },
      );
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    addEventListener('keydown', onKey);
    panel.current?.focus({ preventScroll: true });
    return () => {
      leaving.abort();
      removeEventListener('keydown', onKey);
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    };
  }, [snapshot]);

  const isThere = page.value !== undefined;
  useEffect(() => {
    const scrolled = panel.current?.querySelector('.reader-body');
    const first = scrolled?.querySelector('.cited');
    if (first instanceof HTMLElement) first.scrollIntoView({ block: 'center' });
    else scrolled?.scrollTo(0, 0);
  }, [isThere, quote]);

  const title = page.value?.info.title ?? source?.title ?? 'Source page';
  const address = webAddress(source?.url ?? page.value?.info.final_url ?? '');
  return (
    <aside ref={panel} class="reader" aria-label={`Page: ${title}`} tabIndex={-1}>
      <header class="reader-head">
        <div class="reader-about">
          <p class="reader-site">
            {source !== undefined && <Monogram source={source} />}
            {source === undefined ? '' : siteOf(source)}
          </p>
          <h2>{title}</h2>
        </div>
        <div class="reader-actions">
          {address !== undefined && (
            <a
              class="button button-quiet button-icon"
              href={address}
              target="_blank"
              rel="noopener noreferrer nofollow"
              aria-label="Open original page"
              title="Open original page"
            >
              <OpenIcon />
            </a>
          )}
          <IconButton label="Close source page" onClick={close}>
            <CloseIcon />
          </IconButton>
        </div>
      </header>
      {quote !== undefined && (
        <p class="reader-cited">
          <mark>{supportText(quote)}</mark> The page as it was read, with the quote highlighted.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: makes it scrollable by keyboard */}
      <section class="reader-body" tabIndex={0} aria-label="Page text">
        {failure.value !== undefined && <p class="notice notice-bad">{describeFailure(failure.value).text}</p>}
        {page.value === undefined && failure.value === undefined && <p class="reader-wait">Loading page…</p>}
        {page.value !== undefined && (
          <QuotedPage
            text={page.value.response}
            quote={quote && { start: quote.source_start, end: quote.source_end }}
          />
        )}
      </section>
    </aside>
  );
}
