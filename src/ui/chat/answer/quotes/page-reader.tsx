/**
 * The panel beside the answer that shows a source page as it was read, at the cited quote, with the way to the other citations.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CitewireError, PageContents } from '../../../../client/client.ts';
import { IconButton } from '../../../components/button.tsx';
import { copyToClipboard } from '../../../components/clipboard.ts';
import { BackIcon, CloseIcon, CopyIcon, FindIcon, ForwardIcon, OpenIcon } from '../../../components/icons.tsx';
import { describeError } from '../../../language/describe-error.ts';
import { fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import { webAddress } from '../../../markdown/render.tsx';
import { loadPage, type OpenPage, openPage, openQuote } from '../../thread/overlays.ts';
import { Thumbs } from '../ratings.tsx';
import { Monogram, siteOf } from '../source-cards.tsx';
import { useCloseOnBack } from './close-on-back.ts';
import { FindInPage } from './find-in-page.tsx';
import { supportText } from './quote-card.tsx';
import { QuotedPage, type Span } from './quoted-page.tsx';

export function Reader() {
  const shown = openPage.value;
  return shown === undefined ? null : <Page shown={shown} />;
}

function close(): void {
  openPage.value = undefined;
}

function Page({ shown }: { readonly shown: OpenPage }) {
  const { snapshot, source, quote } = shown;
  const { page, failure } = usePage(snapshot);
  const [isFinding, setIsFinding] = useState(false);
  const [found, setFound] = useState<Span | undefined>(undefined);
  const panel = useRef<HTMLElement>(null);
  const opener = useRef(document.activeElement);
  const endFind = () => {
    setIsFinding(false);
    setFound(undefined);
    panel.current?.focus({ preventScroll: true });
  };

  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    addEventListener('keydown', onKey);
    panel.current?.focus({ preventScroll: true });
    return () => {
      removeEventListener('keydown', onKey);
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    };
  }, []);
  useCloseOnBack(close, () => {
    openPage.value = shown;
  });
  useEffect(() => setFound(undefined), [snapshot]);

  const isThere = page !== undefined;
  useEffect(() => {
    const scrolled = panel.current?.querySelector('.reader-body');
    const first = scrolled?.querySelector(found === undefined ? '.cited' : '.found');
    if (first instanceof HTMLElement) first.scrollIntoView({ block: 'center' });
    else if (found === undefined) scrolled?.scrollTo(0, 0);
  }, [isThere, quote, found]);

  const title = page?.info.title ?? source?.title ?? t.reader.untitled;
  const address = webAddress(source?.url ?? page?.info.final_url ?? '');
  const copyQuote = () =>
    copyToClipboard(
      `“${page!.response.slice(quote!.source_start, quote!.source_end).replace(/\s+/g, ' ')}” — ${title}, ${source?.url ?? page!.info.final_url}`,
      t.copy.quoteCopied,
    );
  return (
    <aside ref={panel} class="reader" aria-label={fill(t.reader.page, { title })} tabIndex={-1}>
      <header class="reader-head">
        <div class="reader-about">
          {source !== undefined && (
            <p class="reader-site">
              <Monogram source={source} />
              <span class="reader-site-name">{siteOf(source)}</span>
            </p>
          )}
          <h2>{title}</h2>
        </div>
        <div class="reader-actions">
          {isThere && (
            <IconButton
              label={t.reader.find}
              aria-expanded={isFinding}
              onClick={() => (isFinding ? endFind() : setIsFinding(true))}
            >
              <FindIcon />
            </IconButton>
          )}
          {address !== undefined && (
            <a
              class="button button-quiet button-icon"
              href={address}
              target="_blank"
              rel="noopener noreferrer nofollow"
              aria-label={t.reader.original}
              title={t.reader.original}
            >
              <OpenIcon />
            </a>
          )}
          <IconButton label={t.reader.close} onClick={close}>
            <CloseIcon />
          </IconButton>
        </div>
      </header>
      {quote !== undefined && (
        <div class="reader-cited">
          <p>
            <mark>{supportText(quote)}</mark>
          </p>
          <span class="reader-quote-tools">
            {isThere && (
              <IconButton label={t.reader.copyQuote} onClick={copyQuote}>
                <CopyIcon size={16} />
              </IconButton>
            )}
            {shown.search_id !== undefined && quote.id !== undefined && (
              <Thumbs search_id={shown.search_id} citation_id={quote.id} up={t.reader.says} down={t.reader.saysNot} />
            )}
            <Neighbours shown={shown} />
          </span>
        </div>
      )}
      {isFinding && page !== undefined && (
        <FindInPage key={snapshot} text={page.response} onFound={setFound} onClose={endFind} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: makes it scrollable by keyboard */}
      <section class="reader-body" tabIndex={0} aria-label={t.reader.text}>
        {failure !== undefined && <p class="notice notice-bad">{describeError(failure)}</p>}
        {page === undefined && failure === undefined && <p class="reader-wait">{t.reader.loading}</p>}
        {page !== undefined && (
          <QuotedPage
            key={snapshot}
            text={page.response}
            hasLines={isPlainText(page.info.final_url)}
            quote={quote && { start: quote.source_start, end: quote.source_end }}
            found={found}
          />
        )}
      </section>
    </aside>
  );
}

/** By the name of the file: text files and mails are not Markdown. */
function isPlainText(url: string): boolean {
  return /\.(?:txt|text|log|eml)$/i.test(url.replace(/[?#].*$/, ''));
}

/** The citation before and the one after, of the same answer, whichever page they are in. */
function Neighbours({ shown: { quote, among, search_id, sources } }: { readonly shown: OpenPage }) {
  const at = among.findIndex(({ id }) => id === quote?.id);
  if (at === -1 || among.length < 2) return null;
  const open = (place: number) => openQuote(among[place]!, sources, { citations: among, search_id });
  return (
    <>
      <IconButton label={t.reader.previous} aria-disabled={at === 0} onClick={() => at > 0 && open(at - 1)}>
        <BackIcon size={16} />
      </IconButton>
      <span aria-live="polite">
        <span class="visually-hidden">{t.reader.citation} </span>
        {fill(t.reader.place, { at: at + 1, of: among.length })}
      </span>
      <IconButton
        label={t.reader.next}
        aria-disabled={at === among.length - 1}
        onClick={() => at < among.length - 1 && open(at + 1)}
      >
        <ForwardIcon size={16} />
      </IconButton>
    </>
  );
}

/** The stored page; undefined while it is loading. */
function usePage(snapshot: string) {
  type Loaded = { readonly snapshot: string; readonly page?: PageContents; readonly failure?: CitewireError };
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    loadPage
      .peek()(snapshot, leaving.signal)
      .then(
        (page) => setLoaded({ snapshot, page }),
        (failure) => {
          if (!leaving.signal.aborted) setLoaded({ snapshot, failure });
        },
      );
    return () => leaving.abort();
  }, [snapshot]);
  const { page, failure } = loaded?.snapshot === snapshot ? loaded : {};
  return { page, failure };
}
