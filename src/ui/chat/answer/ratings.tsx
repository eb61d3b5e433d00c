/** Thumbs for an answer, and for each of its citations: whether the quote says what the text says. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { FeedbackGiven } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { IconButton } from '../../components/button.tsx';
import { ThumbDownIcon, ThumbUpIcon } from '../../components/icons.tsx';
import { toast } from '../../components/toast.tsx';
import { describeError } from '../../language/describe-error.ts';

type Rating = FeedbackGiven['rating'];

/** By search and citation; what is not in it is not rated, or not known yet. */
const ratings = signal<ReadonlyMap<string, Rating>>(new Map());
const asked = new Set<string>();
const keyOf = (search_id: string, citation_id = '') => `${search_id} ${citation_id}`;

interface ThumbsProps {
  readonly search_id: string;
  /** The citation that is rated; without it, the answer is. */
  readonly citation_id?: string | undefined;
  /** The accessible names. */
  readonly up: string;
  readonly down: string;
}

/** Nothing where nobody is signed in, as in a shared thread. */
export function Thumbs({ search_id, citation_id, up, down }: ThumbsProps) {
  const client = signedIn.value?.client;
  const shown = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (shown.current === null) return undefined;
    // A long thread has many of them, most of which nobody sees.
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        seen.disconnect();
        void load(search_id);
      },
      { rootMargin: '1000px' },
    );
    seen.observe(shown.current);
    return () => seen.disconnect();
  }, [search_id, client]);
  if (client === undefined) return null;
  const key = keyOf(search_id, citation_id);
  const current = ratings.value.get(key) ?? 'none';
  const rate = async (chosen: Rating) => {
    const rating = chosen === current ? 'none' : chosen;
    set(key, rating);
    try {
      await client.rate(search_id, { rating, ...(citation_id === undefined ? {} : { citation_id }) });
    } catch (error) {
      set(key, current);
      toast(describeError(error));
    }
  };
  return (
    <span ref={shown} class="thumbs">
      <IconButton label={up} aria-pressed={current === 'up'} onClick={() => void rate('up')}>
        <ThumbUpIcon size={19} />
      </IconButton>
      <IconButton label={down} aria-pressed={current === 'down'} onClick={() => void rate('down')}>
        <ThumbDownIcon size={19} />
      </IconButton>
    </span>
  );
}

function set(key: string, rating: Rating): void {
  ratings.value = new Map(ratings.value).set(key, rating);
}

/** What was rated before, looked up once per search. A failure is not shown, since the thumbs work without it. */
async function load(search_id: string): Promise<void> {
  const { client } = signedIn.value ?? {};
  if (client === undefined || asked.has(search_id)) return;
  asked.add(search_id);
  const found = await client.listFeedback({ search_id, limit: 100 }).catch(() => undefined);
  const before = (found?.items ?? []).map(
    ({ citation_id, rating }) => [keyOf(search_id, citation_id), rating] as const,
  );
  // What was rated meanwhile is newer.
  if (before.length > 0) ratings.value = new Map([...before, ...ratings.value]);
}
