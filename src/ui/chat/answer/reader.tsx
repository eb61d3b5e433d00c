/** The page that an answer rests on, beside it: the very text that was read, at the words that are cited. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CitewireError, PageContents } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { IconButton } from '../../components/button.tsx';
import { CloseIcon, OpenIcon } from '../../components/icons.tsx';
import { webAddress } from '../../markdown/render.tsx';
import { failureWords } from '../thread/failure.ts';
import { type Reading, reading } from '../thread/view.ts';
import { supportWords } from './quote-card.tsx';
import { QuotedPage } from './quoted-page.tsx';
import { Monogram, siteOf } from './source-cards.tsx';

export function Reader() {
  const shown = reading.value;
  return shown === undefined ? null : <Page key={shown.snapshot} shown={shown} />;
}

function close(): void {
  reading.value = undefined;
}

function Page({ shown }: { readonly shown: Reading }) {
  const { snapshot, source, citation } = shown;
  const page = useSignal<PageContents | undefined>(undefined);
  const failure = useSignal<CitewireError | undefined>(undefined);
  const panel = useRef<HTMLElement>(null);
  const opener = useRef(document.activeElement);

  useEffect(() => {
    const leaving = new AbortController();
    signedIn.value?.client.snapshot(snapshot, { signal: leaving.signal }).then(
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
  }, [isThere, citation]);

  const title = page.value?.info.title ?? source?.title ?? 'The page';
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
              aria-label="Open the page on its site"
              title="Open the page on its site"
            >
              <OpenIcon />
            </a>
          )}
          <IconButton label="Close the page" onClick={close}>
            <CloseIcon />
          </IconButton>
        </div>
      </header>
      {citation !== undefined && (
        <p class="reader-cited">
          <mark>{supportWords(citation)}</mark> as it was read; the cited words are marked.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and by keyboard too */}
      <section class="reader-body" tabIndex={0} aria-label="Text of the page">
        {failure.value !== undefined && <p class="notice notice-bad">{failureWords(failure.value).text}</p>}
        {page.value === undefined && failure.value === undefined && <p class="reader-wait">Opening the page</p>}
        {page.value !== undefined && (
          <QuotedPage
            text={page.value.response}
            quote={citation && { start: citation.source_start, end: citation.source_end }}
          />
        )}
      </section>
    </aside>
  );
}
