/** A paginated list: the first page, and further pages on demand. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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

export function PagedList<Item>({ first, path, children }: PagedListProps<Item>) {
  const [later, setLater] = useState<readonly Page<Item>[]>([]);
  const { cursor } = later.at(-1) ?? first;
  const more = async () => {
    try {
      setLater([...later, await call<Page<Item>>('GET', `${path}&cursor=${cursor}`)]);
    } catch (error) {
      toast(describeError(error));
    }
  };
  return (
    <>
      {children([first, ...later].flatMap(({ items }) => items))}
      {cursor !== undefined && <Button onClick={more}>{t.common.more}</Button>}
    </>
  );
}
