/** The ratings of the account, with what was rated, and their export as a labelled set. */
import { useState } from 'preact/hooks';
import type { Feedback, FeedbackList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { download } from '../../components/files/download.ts';
import { formatAgo, formatDateTime } from '../../components/format.ts';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { PagedList } from '../paged-list.tsx';
import { Link } from '../router.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';

const path = '/v1/feedback?limit=25';

export function FeedbackPage() {
  const first = useLoad(() => call<FeedbackList>('GET', path), []);
  return (
    <>
      <PageHead title={t.shell.feedback} about={t.feedback.about} />
      <LoadedView loaded={first}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title={t.feedback.none}>{t.feedback.noneText}</EmptyState>
          ) : (
            <>
              <Export />
              <PagedList first={page} path={path}>
                {(items) => (
                  <ul class="rows" aria-label={t.feedback.ratings}>
                    {items.map((item) => (
                      <FeedbackRow key={`${item.search_id} ${item.citation_id}`} of={item} />
                    ))}
                  </ul>
                )}
              </PagedList>
            </>
          )
        }
      </LoadedView>
    </>
  );
}

function FeedbackRow({ of: item }: { readonly of: Feedback }) {
  const { search_id, citation_id, rating, question, text, quote, rated_at, models } = item;
  return (
    <li class="row row-link">
      <div class="row-main">
        <Link class="row-title" to={`/searches/${search_id}`}>
          {question}
        </Link>
        <span class="rated-text">{firstWords(text)}</span>
        {quote !== undefined && <q class="rated-text">{firstWords(quote)}</q>}
        <span class="row-about">
          <span title={formatDateTime(rated_at)}>{formatAgo(rated_at)}</span>
          <span>{citation_id === undefined ? t.feedback.answer : t.feedback.citation}</span>
          <span>{models.join(', ')}</span>
        </span>
      </div>
      <Badge tone={rating === 'up' ? 'good' : 'bad'}>{rating === 'up' ? t.feedback.good : t.feedback.notGood}</Badge>
    </li>
  );
}

/** All ratings, one JSON object a line. */
function Export() {
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    setIsBusy(true);
    try {
      const lines: string[] = [];
      let cursor: string | undefined;
      do {
        const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page: FeedbackList = await call('GET', `/v1/feedback?limit=100${after}`);
        lines.push(...page.items.map((item) => `${JSON.stringify(item)}\n`));
        cursor = page.cursor;
      } while (cursor !== undefined);
      download('feedback.jsonl', lines.join(''));
    } catch (error) {
      toast(describeError(error));
    }
    setIsBusy(false);
  };
  return (
    <p>
      <Button isBusy={isBusy} onClick={save}>
        {t.feedback.export}
      </Button>
    </p>
  );
}

/** As much as a row shows; set by hand. */
const shownText = 240;

function firstWords(text: string): string {
  return text.length <= shownText ? text : `${text.slice(0, shownText).toWellFormed()} …`;
}
