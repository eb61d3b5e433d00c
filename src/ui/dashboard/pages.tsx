/** A list that comes in pages: the first that was loaded, and behind it those that were asked for since. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';
import { call } from './session.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string | undefined;
}

interface PagesProps<Item> {
  readonly first: Page<Item>;
  /** Of the call that gave the first, its query included. */
  readonly path: string;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

export function Pages<Item>({ first, path, children }: PagesProps<Item>) {
  const [later, setLater] = useState<readonly Page<Item>[]>([]);
  const { cursor } = later.at(-1) ?? first;
  const more = async () => {
    try {
      setLater([...later, await call<Page<Item>>('GET', `${path}&cursor=${cursor}`)]);
    } catch (error) {
      toast((error as Error).message);
    }
  };
  return (
    <>
      {children([first, ...later].flatMap(({ items }) => items))}
      {cursor !== undefined && <Button onClick={more}>Show more</Button>}
    </>
  );
}
