/** A paginated list: the first page, and further pages on demand. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';
import { t } from '../language/dashboard/text.ts';
import { describeError } from '../language/describe-error.ts';
import { call } from './session.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string | undefined;
}

interface PagedListProps<Item> {
  readonly first: Page<Item>;
  /** Path of the call that returned the first page, including its query. */
  readonly path: string;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/**
 * When the first page is loaded again, as many further ones are, because they follow on from its new end. Until they have come, the
 * old ones are shown. To begin with one page again, as for another query, give it another `key`.
 */
export function PagedList<Item>({ first, path, children }: PagedListProps<Item>) {
  const [pages, setPages] = useState<readonly Page<Item>[]>([first]);
  const [isBusy, setBusy] = useState(false);
  const rows = useRef<HTMLDivElement>(null);
  const cursor = pages.at(-1)?.cursor;
  const count = pages.reduce((sum, { items }) => sum + items.length, 0);
  /** How many rows there were before the last page was asked for. */
  const countBefore = useRef(count);
  useEffect(() => {
    // The button goes with the last page, and the focus with it: the first row that is new takes it.
    if (cursor !== undefined || document.activeElement !== document.body) return;
    const row = rows.current?.querySelectorAll('li.row')[countBefore.current];
    row?.querySelector<HTMLElement>('a, button')?.focus();
  }, [count]);

  useEffect(() => {
    if (pages[0] === first) return;
    let isGone = false;
    loadPages(path, first, pages.length).then(
      (loaded) => {
        if (!isGone) setPages(loaded);
      },
      (error: Error) => {
        if (isGone) return;
        setPages([first]);
        toast(describeError(error));
      },
    );
    return () => {
      isGone = true;
    };
  }, [first]);

  const more = async () => {
    countBefore.current = count;
    setBusy(true);
    try {
      const next = await nextPage<Item>(path, cursor);
      setPages((now) => (now === pages ? [...pages, next] : now));
    } catch (error) {
      toast(describeError(error));
    }
    setBusy(false);
  };
  return (
    <div class="paged" ref={rows}>
      {children(pages.flatMap(({ items }) => items))}
      {cursor !== undefined && (
        <Button isBusy={isBusy} onClick={more}>
          {t.common.more}
        </Button>
      )}
    </div>
  );
}

const nextPage = <Item,>(path: string, cursor: string | undefined) =>
  call<Page<Item>>('GET', `${path}&cursor=${cursor}`);

/** `first` and what follows it, `count` pages at most. */
async function loadPages<Item>(path: string, first: Page<Item>, count: number): Promise<readonly Page<Item>[]> {
  const pages = [first];
  for (let last = first; pages.length < count && last.cursor !== undefined; ) {
    last = await nextPage<Item>(path, last.cursor);
    pages.push(last);
  }
  return pages;
}
