/** Going back closes the source page that is open beside or over an answer, instead of leaving the thread. */
import { useEffect } from 'preact/hooks';

interface Cover {
  /** The number of its entry in the history. */
  readonly cover: number;
  /** The address of the entry below. */
  readonly below: string;
  readonly close: () => void;
}

let covers = 0;
let open: Cover | undefined;
/** The address of the page while something is open, or its entry is on its way off the history. */
let address = '';
let isLeaving = false;

// The page begins to listen after its modules are loaded, so this listener is called first. The page's own would read the
// thread again.
addEventListener('popstate', (event) => {
  const isOpen = open !== undefined && !isOn(open);
  if (!isLeaving && !isOpen) return;
  history.scrollRestoration = 'auto';
  const closed = open;
  open = undefined;
  // Further back is another place of the page.
  if (isLeaving || location.href === closed!.below) {
    event.stopImmediatePropagation();
    // What was asked meanwhile has changed it.
    history.replaceState(history.state, '', address);
  }
  isLeaving = false;
  closed?.close();
});

// What was open before a reload no longer is.
if (coverOf(history.state) !== undefined) {
  isLeaving = true;
  address = location.href;
  history.back();
}

/**
 * While the component is shown, the history has one more entry, at the same address: going back from it calls `close`, which must
 * remove the component. Where it is removed otherwise, that entry goes, too.
 */
export function useCloseOnBack(close: () => void): void {
  useEffect(() => {
    covers += 1;
    const own: Cover = { cover: covers, below: location.href, close };
    open = own;
    address = location.href;
    // The page stays where it was scrolled to when the entry goes.
    history.scrollRestoration = 'manual';
    history.pushState({ cover: own.cover }, '');
    return () => {
      if (open !== own) return;
      open = undefined;
      // Another entry on top of it means that the page has moved on.
      if (!isOn(own)) return;
      isLeaving = true;
      history.back();
    };
  }, []);
}

/** Gives the page another address, with `push` in an entry of its own. It takes the place of what is open. */
export function setAddress(path: string, how: 'push' | 'replace'): void {
  const isOpen = open !== undefined && isOn(open);
  if (how === 'replace') {
    history.replaceState(history.state, '', path);
    address = location.href;
    return;
  }
  history[isOpen ? 'replaceState' : 'pushState'](null, '', path);
  if (!isOpen) return;
  open = undefined;
  history.scrollRestoration = 'auto';
}

function isOn({ cover }: Cover): boolean {
  return coverOf(history.state) === cover;
}

function coverOf(state: unknown): number | undefined {
  return (state as { cover?: number } | null)?.cover;
}
