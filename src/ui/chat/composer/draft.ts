/**
 * What is being written outlasts the page: choosing a language loads it again, and a reader may look something up in the dashboard
 * and come back. It is kept for this tab, while the page is away, and only for the account that wrote it.
 */
import { useEffect, useRef } from 'preact/hooks';
import { wasSignedOutElsewhere } from '../../account/browser-session.ts';
import { signedIn } from '../../account/signed-in.ts';
import { defaultOptions, newThreadOptions, type Options } from './search-options.ts';

interface Draft {
  readonly prompt: string;
  readonly options: Options;
  /** The addresses of the attached documents. */
  readonly documents: readonly string[];
}

interface KeptDraft extends Draft {
  readonly account: string | undefined;
  /** Documents, sources, dates and the format belong to the thread at this address. */
  readonly at: string;
}

const storageKey = 'citewire.draft';

/** What was being written when this tab left the page; undefined if nothing was. */
export function takeDraft(): Draft | undefined {
  try {
    const stored = sessionStorage.getItem(storageKey);
    sessionStorage.removeItem(storageKey);
    if (stored === null) return undefined;
    const { account, at, prompt, options, documents } = JSON.parse(stored) as KeptDraft;
    if (account !== accountId()) return undefined;
    const all = { ...defaultOptions, ...options };
    if (at === address()) return { prompt, options: all, documents };
    return { prompt, options: { ...all, ...newThreadOptions }, documents: [] };
  } catch {
    // Browsers can block storage.
    return undefined;
  }
}

/** Keeps what is written when the page is left. */
export function useKeptDraft(draft: Draft): void {
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(() => {
    const account = accountId();
    const onLeave = () => keep(latest.current, account);
    addEventListener('pagehide', onLeave);
    return () => {
      removeEventListener('pagehide', onLeave);
      // Another tab has signed out: it is there again for the account that wrote it.
      if (wasSignedOutElsewhere()) onLeave();
      // What a page has kept that was left and returned to as it was.
      else takeDraft();
    };
  }, []);
}

function keep(draft: Draft, account: string | undefined): void {
  const kept: KeptDraft = { ...draft, account, at: address() };
  // An image may be larger than what a page can store; the rest is not.
  if (!store(kept)) store({ ...kept, options: { ...kept.options, image: undefined } });
}

function store(kept: KeptDraft): boolean {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

function accountId(): string | undefined {
  return signedIn.value?.session.account.id;
}

function address(): string {
  return location.pathname + location.search;
}
