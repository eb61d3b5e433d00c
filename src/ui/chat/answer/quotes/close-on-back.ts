/**
 * Going back closes what is open beside or over an answer, a source page or the list of threads, instead of leaving the thread; going
 * forward then opens it again.
 */
import { useEffect, useRef } from 'preact/hooks';

interface Cover {
  /** The number of its entry in the history. */
  readonly cover: number;
  /** The address of the entry below. */
  readonly below: string;
  readonly close: () => void;
}

/** What was closed last, whose entry is the next one of the history until the page gets another address. */
interface Closed {
  readonly cover: number;
  readonly reopen: () => void;
}

let covers = 0;
let open: Cover | undefined;
let closed: Closed | undefined;
/** The address of the page while something is open, or its entry is on its way off the history. */
let address: string | undefined;
let isLeaving = false;

// The page begins to listen after its modules are loaded, so this listener is called first. The page's own would read the
// thread again.
addEventListener('popstate', (event) => {
  const isOpen = open !== undefined && !isOn(open);
  if (!isLeaving && !isOpen) {
    const cover = coverOf(history.state);
    if (open === undefined && cover !== undefined) goForwardTo(cover, event);
    return;
  }
  history.scrollRestoration = 'auto';
  const left = open;
  open = undefined;
  // Further back is another place of the page.
  if (isLeaving || location.href === left!.below) {
    event.stopImmediatePropagation();
    // What was asked meanwhile has changed it.
    if (address !== undefined) history.replaceState(history.state, '', address);
  }
  isLeaving = false;
  left?.close();
});

/** Nothing but what was closed last can be opened again: any other entry of this kind would be one where nothing happens. */
function goForwardTo(cover: number, event: Event): void {
  if (closed?.cover === cover) return closed.reopen();
  event.stopImmediatePropagation();
  isLeaving = true;
  address = undefined;
  history.back();
}

// What was open before a reload no longer is.
if (coverOf(history.state) !== undefined) {
  isLeaving = true;
  address = location.href;
  history.back();
}

/**
 * While the component is shown, the history has one more entry, at the same address: going back from it calls `close`, which must
 * remove the component, and going forward to it `reopen`, which must show it again. Where it is removed otherwise, that entry goes,
 * too.
 */
export function useCloseOnBack(close: () => void, reopen: () => void): void {
  const reopenLatest = useRef(reopen);
  reopenLatest.current = reopen;
  useEffect(() => {
    const reopened = coverOf(history.state);
    if (reopened === undefined) covers += 1;
    const own: Cover = { cover: reopened ?? covers, below: location.href, close };
    open = own;
    closed = undefined;
    address = location.href;
    // The page stays where it was scrolled to when the entry goes.
    history.scrollRestoration = 'manual';
    if (reopened === undefined) history.pushState({ cover: own.cover }, '');
    return () => {
      closed = { cover: own.cover, reopen: reopenLatest.current };
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
  closed = undefined;
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
