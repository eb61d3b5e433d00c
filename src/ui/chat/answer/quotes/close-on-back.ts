/** Going back closes what covers the whole page, as on a phone, instead of leaving the thread below it. */
import { useEffect } from 'preact/hooks';

let covers = 0;
/** What covers the page, with the number of its entry in the history. */
let open: { readonly cover: number; readonly close: () => void } | undefined;
/** Whether the entry of what was closed is on its way off the history. */
let isLeaving = false;

// The page begins to listen after its modules are loaded, so this listener is called first. The page's own would read the
// thread again.
addEventListener('popstate', (event) => {
  if (!isLeaving && open === undefined) return;
  event.stopImmediatePropagation();
  if (isLeaving) {
    isLeaving = false;
    return;
  }
  const closed = open;
  open = undefined;
  closed?.close();
});

/**
 * While the component is shown, and `media` matched when it was opened, the history has one more entry, at the same address: going
 * back from it calls `close`, which must remove the component. Where it is removed otherwise, that entry goes, too.
 */
export function useCloseOnBack(media: string, close: () => void): void {
  useEffect(() => {
    if (!matchMedia(media).matches) return undefined;
    covers += 1;
    const cover = covers;
    open = { cover, close };
    history.pushState({ cover }, '');
    return () => {
      if (open?.cover !== cover) return;
      open = undefined;
      // Another entry on top of it means that the page has moved on.
      if ((history.state as { cover?: number } | null)?.cover !== cover) return;
      isLeaving = true;
      history.back();
    };
  }, []);
}
