/** The sources of an answer as a scrollable row of cards; clicking one opens the page as it was read. */
import { useState } from 'preact/hooks';
import type { Source } from '../../../client/client.ts';
import { fileNameOf } from '../../components/format.ts';
import { counted } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { openSource } from '../thread/overlays.ts';

export interface SourceCardsProps {
  readonly sources: readonly Source[];
  /** Whether more sources may arrive; empty cards reserve their space. */
  readonly isOpen: boolean;
  /** Ids of the cited sources. */
  readonly cited: ReadonlySet<string>;
}

export function SourceCards({ sources, isOpen, cited }: SourceCardsProps) {
  const [areAllShown, showAll] = useState(false);
  if (sources.length === 0 && !isOpen) return null;
  const used = sources.filter(({ id }) => cited.has(id));
  // If the answer cites none, no source comes before another.
  const isSorted = !isOpen && used.length > 0;
  const others = isSorted ? sources.filter(({ id }) => !cited.has(id)) : [];
  const shown = !isSorted ? sources : areAllShown ? [...used, ...others] : used;
  const places = isOpen ? Math.max(3, shown.length) : shown.length;
  return (
    <div class="sources">
      <ul aria-label={t.sources.label}>
        {Array.from({ length: places }, (_, place) => {
          const source = shown[place];
          // Keyed by position, so that a source fills its placeholder.
          return source === undefined ? (
            <li key={place} class="source source-waiting" aria-hidden="true" />
          ) : (
            <li key={place}>
              <SourceCard source={source} isUsed={isOpen || cited.has(source.id)} />
            </li>
          );
        })}
        {others.length > 0 && (
          <li key="others">
            <button
              type="button"
              class="source source-more"
              aria-expanded={areAllShown}
              onClick={() => showAll(!areAllShown)}
            >
              <span class="source-more-count">
                {areAllShown ? '−' : '+'}
                {others.length}
              </span>
              <span>{counted(t.sources.cited, used.length, { all: sources.length })}</span>
              <span class="visually-hidden">: {areAllShown ? t.sources.hideOthers : t.sources.showOthers}</span>
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

function SourceCard({ source, isUsed }: { readonly source: Source; readonly isUsed: boolean }) {
  return (
    <button type="button" class={isUsed ? 'source' : 'source source-unused'} onClick={() => openSource(source)}>
      <span class="source-title" dir="auto">
        {source.title}
      </span>
      <span class="source-foot">
        <Monogram source={source} />
        <span class="source-domain">{siteOf(source)}</span>
        <span class="source-n">{source.n}</span>
      </span>
    </button>
  );
}

const hues = 12;

/** A letter in a colour derived from the site's name, so that no favicon has to be requested from it. */
export function Monogram({ source }: { readonly source: Source }) {
  const site = siteOf(source);
  const sum = [...site].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 9973, 7);
  const letter = /[\p{L}\p{N}]/u.exec(site.replace(/^www\./, ''))?.[0] ?? '·';
  return (
    <span class={`monogram monogram-${sum % hues}`} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}

/** The host of a page, the package of a package's documentation, or the name of a file. */
export function siteOf({ domain, url }: Source): string {
  const inPackage = /^https:\/\/cdn\.jsdelivr\.net\/npm\/((?:@[^/@]+\/)?[^/@]+)@/.exec(url);
  if (inPackage !== null) return inPackage[1]!;
  return domain === '' ? fileNameOf(url) : domain;
}
