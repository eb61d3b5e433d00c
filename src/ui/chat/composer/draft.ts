/**
 * What is being written outlasts the page: choosing a language loads it again, and a reader may look something up in the dashboard
 * and come back. It is kept for this tab, while the page is away, and only for the account that wrote it. So is a question that
 * was asked and whose answer has not begun, as while the server restarts: nothing else may know it.
 */
import { useEffect, useRef } from 'preact/hooks';
import type { OutputFormat } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../client/client.ts';
import { wasSignedOutElsewhere } from '../../account/browser-session.ts';
import { signedIn } from '../../account/signed-in.ts';
import { unansweredRequest } from '../thread/conversation.ts';
import { expectAgain, type SentRequest } from '../thread/sent-request.ts';
import { isDocument } from './attachments/documents.ts';
import { base64Of, defaultOptions, imageUrl, newThreadOptions, type Options } from './search-options.ts';

interface Draft {
  readonly prompt: string;
  readonly options: Options;
  /** The addresses of the attached documents. */
  readonly documents: readonly string[];
  /** Ids; undefined where those of the thread on the page apply. */
  readonly collections: readonly string[] | undefined;
}

interface KeptDraft extends Draft {
  readonly account: string | undefined;
  /** Documents, collections, sources, dates and the format belong to the thread at this address. */
  readonly at: string;
  /** The question that was asked, if no answer to it has begun. */
  readonly sent?: SentRequest | undefined;
}

const storageKey = 'citewire.draft';

/** What was being written when this tab left the page; undefined if nothing was. If it was asked already, it is not asked twice. */
export function restoreDraft(): Draft | undefined {
  const draft = takeDraft();
  if (draft?.sent !== undefined) expectAgain(draft.sent);
  return draft;
}

function takeDraft(): (Draft & Pick<KeptDraft, 'sent'>) | undefined {
  try {
    const stored = sessionStorage.getItem(storageKey);
    sessionStorage.removeItem(storageKey);
    if (stored === null) return undefined;
    const { account, at, prompt, options, documents, collections, sent } = JSON.parse(stored) as KeptDraft;
    if (account !== accountId()) return undefined;
    const all = { ...defaultOptions, ...options };
    if (at === address())
      return { prompt, options: all, documents, collections, sent: sent && withImage(sent, all.image) };
    return { prompt, options: { ...all, ...newThreadOptions }, documents: [], collections: undefined };
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
    const onLeave = () => keepLatest(latest.current, account);
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

/** What is written comes first, then the last question on the page. */
function keepLatest(written: Draft, account: string | undefined): void {
  const sent = written.prompt.trim() !== '' ? undefined : unansweredRequest();
  if (sent === undefined) return keep(written, account);
  // The page asks the question of its address itself.
  const isOfAddress = sent.request.prompt === new URLSearchParams(location.search).get('q')?.trim();
  keep(isOfAddress ? written : draftOf(sent.request), account, withoutImage(sent));
}

/** The image is kept once, with the options. */
function withoutImage(sent: SentRequest): SentRequest {
  return sent.request.image === undefined ? sent : { ...sent, request: { ...sent.request, image: '' } };
}

/** Undefined if the image could not be kept: without it, it would be another request. */
function withImage(sent: SentRequest, image: string | undefined): SentRequest | undefined {
  if (sent.request.image === undefined) return sent;
  return image === undefined ? undefined : { ...sent, request: { ...sent.request, image: base64Of(image) } };
}

function draftOf(request: SearchInput): Draft {
  const { prompt, source_whitelist: allowed, source_blacklist: excluded, from = '', to = '', image } = request;
  const documents = allowed?.filter(isDocument) ?? [];
  // Where documents are attached, they are all that is allowed.
  const only = documents.length > 0 ? undefined : allowed;
  const mode = only !== undefined ? 'only' : excluded !== undefined ? 'never' : 'any';
  const options: Options = {
    effort: request.effort ?? defaultOptions.effort,
    sources: { mode, entries: only ?? excluded ?? [] },
    dates: { from, to },
    image: image === undefined ? undefined : imageUrl(image),
    format: request.output_format as OutputFormat | undefined,
  };
  return { prompt, options, documents, collections: request.collections ?? [] };
}

function keep(draft: Draft, account: string | undefined, sent?: SentRequest): void {
  const kept: KeptDraft = { ...draft, account, at: address(), sent };
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
