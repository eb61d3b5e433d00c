/** The quotes of the active marker, shown below it if there is room, for comparison with the claim. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Citation } from '../../../../client/client.ts';
import { formatShare } from '../../../components/format.ts';
import { fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import { renderMarkdown } from '../../../markdown/render.tsx';
import { type ActiveMarker, activeMarker, type OpenedQuote, openQuote } from '../../thread/overlays.ts';
import { Monogram } from '../source-cards.tsx';

export function QuoteCard() {
  const shown = activeMarker.value;
  return shown === undefined ? null : <Card key={shown.at.dataset.marker} {...shown} />;
}

function Card({ citations, sources, answer, at }: ActiveMarker) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place(ref.current!, at);
    at.setAttribute('aria-describedby', 'quote-card');
    const close = () => {
      activeMarker.value = undefined;
    };
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    const onPress = ({ target }: Event) => {
      if (!ref.current?.contains(target as Node) && !at.contains(target as Node)) close();
    };
    addEventListener('keydown', onKey);
    addEventListener('pointerdown', onPress);
    addEventListener('scroll', close, { capture: true, passive: true });
    addEventListener('resize', close);
    return () => {
      at.removeAttribute('aria-describedby');
      removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onPress);
      removeEventListener('scroll', close, { capture: true });
      removeEventListener('resize', close);
    };
  }, []);
  return (
    <div
      ref={ref}
      id="quote-card"
      class="quote-card"
      role="tooltip"
      tabIndex={-1}
      onMouseLeave={() => {
        activeMarker.value = undefined;
      }}
    >
      {citations.map((citation) => (
        <Quote key={citation.id} {...{ citation, sources, answer }} />
      ))}
    </div>
  );
}

interface QuoteProps extends Pick<ActiveMarker, 'sources' | 'answer'> {
  readonly citation: Citation;
}

function Quote({ citation, sources, answer }: QuoteProps) {
  const source = sources.find(({ id }) => id === citation.source_id);
  return (
    <div class="quote">
      <div class="quote-source">
        {source !== undefined && <Monogram source={source} />}
        <span class="quote-title" dir="auto">
          {source?.title ?? citation.url}
        </span>
      </div>
      <blockquote dir="auto">{renderMarkdown(citation.quote, { links: false }).nodes}</blockquote>
      <div class="quote-foot">
        <span>{supportText(citation)}</span>
        <button type="button" class="quote-open" tabIndex={-1} onClick={() => openQuote(citation, sources, answer)}>
          {t.answer.view}
        </button>
      </div>
    </div>
  );
}

/** How closely the answer follows the quote, and whether the quote says all of it. */
export function supportText({
  support,
  score = 0,
  verdict,
}: Pick<OpenedQuote, 'support' | 'score' | 'verdict'>): string {
  if (support === undefined) return t.support.best;
  const wording =
    support === 'exact'
      ? t.support.exact
      : support === 'normalised'
        ? t.support.normalised
        : fill(t.support.paraphrased, { share: formatShare(score) });
  const meaning = verdict === undefined ? undefined : meanings[verdict];
  return meaning === undefined ? wording : `${meaning} · ${wording}`;
}

const meanings: Readonly<Partial<Record<NonNullable<Citation['verdict']>, string>>> = {
  supported: t.support.supported,
  partly: t.support.partly,
  unclear: t.support.unclear,
};

const gap = 8;

function place(card: HTMLElement, at: HTMLElement): void {
  const marker = at.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const left = Math.max(gap, Math.min(marker.left + marker.width / 2 - width / 2, innerWidth - width - gap));
  const below = marker.bottom + gap;
  const above = Math.max(gap, marker.top - height - gap);
  card.style.left = `${left}px`;
  card.style.top = `${below + height + gap <= innerHeight ? below : above}px`;
}
