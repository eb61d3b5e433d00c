/** The chat page: ask questions and check the citations of the answers. */
import { type Signal, useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import '../components/index.css';
import './chat.css';
import type { CitewireError } from '../../client/client.ts';
import { wasSignedOutElsewhere } from '../account/browser-session.ts';
import { SessionUnread } from '../account/session-unread.tsx';
import { followSignedIn, resume, signedIn, unreadSession } from '../account/signed-in.ts';
import { SkipLink } from '../components/skip-link.tsx';
import { Toasts } from '../components/toast.tsx';
import { loadServerTexts } from '../language/server-text.ts';
import { t } from '../language/text.ts';
import { warmMarkdown } from '../markdown/warm-up.ts';
import { useCloseOnBack } from './answer/quotes/close-on-back.ts';
import { Reader } from './answer/quotes/page-reader.tsx';
import { QuoteCard } from './answer/quotes/quote-card.tsx';
import { CollectionsOfKey } from './composer/collection-choices.tsx';
import { loadCollections } from './composer/collections.ts';
import { Composer } from './composer/composer.tsx';
import { Examples } from './composer/example-questions.tsx';
import { ModelPicker } from './composer/model-picker.tsx';
import { loadModels } from './composer/models.ts';
import { Header } from './header.tsx';
import { KeysDialog, listenForKeys } from './keyboard.tsx';
import { narrow } from './narrow.ts';
import { SignIn, SignInAgain } from './sign-in.tsx';
import { opening, runningTurn, turns } from './thread/conversation.ts';
import { FailureNotice } from './thread/ending/failure-notice.tsx';
import { describeFailure } from './thread/ending/failure-text.ts';
import { loadPage, openPage } from './thread/overlays.ts';
import { useScrollPlace } from './thread/scroll-place.ts';
import { followAddress, showAddress } from './thread/thread.ts';
import { ThreadDialogs } from './thread/thread-actions.tsx';
import { isAnswerAddress } from './thread/thread-address.ts';
import { ThreadList } from './thread/thread-list.tsx';
import { TurnView } from './thread/turn-view.tsx';

function Chat() {
  const isListOpen = useSignal(!narrow.value);
  const account = signedIn.value;
  const last = turns.value.at(-1);
  const opened = opening.value;
  const running = runningTurn.value;
  const isStopping = running?.isStopping.value === true;
  const isEmpty = last === undefined && opened === false;
  const isUnread = account === undefined && unreadSession.value !== undefined;
  const isLink = account === undefined && !isUnread && isAnswerAddress();
  const isListOver = narrow.value && isListOpen.value && account !== undefined;
  /** Whether a panel covers the answers; neither they nor what is above them must be focusable then. */
  const isCovered = isListOver || (narrow.value && openPage.value !== undefined);
  const list = useRef<HTMLElement>(null);
  const main = useRef<HTMLElement>(null);
  const answers = useRef<HTMLDivElement>(null);
  useScrollPlace(main, answers, last !== undefined, opened === false && running === undefined);
  const closeIfNarrow = () => {
    if (narrow.value) isListOpen.value = false;
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !narrow.value || !isListOpen.value) return;
      // So that the same press does not stop the running search.
      event.preventDefault();
      closeIfNarrow();
    };
    const showThreads = () => {
      isListOpen.value = true;
    };
    addEventListener('keydown', onKey);
    const stopListening = listenForKeys({ showThreads });
    return () => {
      stopListening();
      removeEventListener('keydown', onKey);
    };
  }, []);
  // A list that was beside the answers would cover them.
  useEffect(closeIfNarrow, [narrow.value]);
  // Before the browser takes the focus from the button, which is covered.
  useLayoutEffect(() => {
    if (!isListOver) return undefined;
    const opener = document.activeElement as HTMLElement | null;
    list.current?.focus();
    return () => {
      if (document.activeElement === document.body) opener?.focus();
    };
  }, [isListOver]);
  useEffect(() => {
    document.title = last === undefined ? 'Citewire' : `${last.prompt.value || t.shell.search} – Citewire`;
  }, [last?.prompt.value]);

  return (
    <div class={`page${isListOpen.value && account ? ' has-list' : ''}${openPage.value ? ' has-reader' : ''}`}>
      {!isCovered && <SkipLink text={t.shell.skip} />}
      <Header isCovered={isCovered} isEmpty={isEmpty} isListOpen={isListOpen} />
      {account !== undefined && isListOpen.value && (
        <>
          {isListOver && openPage.value === undefined && <ClosedByBack isOpen={isListOpen} />}
          <nav ref={list} class="list" tabIndex={-1} aria-label={t.shell.threads}>
            <ThreadList client={account.client} onOpened={closeIfNarrow} />
            <a class="list-foot" href="/dashboard">
              {t.shell.dashboardFoot}
            </a>
          </nav>
          <button type="button" class="list-backdrop" aria-label={t.shell.hideThreads} onClick={closeIfNarrow} />
        </>
      )}
      <main ref={main} id="main" class={isEmpty ? 'main main-empty' : 'main'} tabIndex={-1} inert={isCovered}>
        {isEmpty && (
          <div class="welcome">
            <h1>{isLink ? t.signIn.toSee : t.shell.welcome}</h1>
            <p>{isLink ? t.signIn.ofAccount : t.shell.promise}</p>
          </div>
        )}
        {opened === true && (
          <p class="opening" role="status">
            {t.shell.opening}
          </p>
        )}
        {typeof opened === 'object' && account !== undefined && <NotOpened why={opened} />}
        {last !== undefined && (
          <div ref={answers} class="turns">
            <h1 class="visually-hidden">{t.shell.answers}</h1>
            {turns.value.map((turn) => (
              <TurnView key={turn.key} turn={turn} isLast={turn === last} />
            ))}
          </div>
        )}
        {isUnread && <SessionUnread onRetry={readSessionAgain} />}
        {account === undefined ? (
          !isUnread && (wasSignedOutElsewhere() ? <SignInAgain /> : <SignIn />)
        ) : (
          <div class="dock">
            <Composer
              isFollowUp={last !== undefined || opened === true}
              onStop={isStopping ? undefined : running?.stop}
              isStopping={isStopping}
            />
            <CollectionsOfKey />
            <ModelPicker />
            {isEmpty && <Examples />}
          </div>
        )}
      </main>
      <Reader />
      <QuoteCard />
      <ThreadDialogs />
      <KeysDialog />
      <Toasts />
    </div>
  );
}

/** Going back closes the list that is over the answers, instead of leaving the page. */
function ClosedByBack({ isOpen }: { readonly isOpen: Signal<boolean> }) {
  const show = (is: boolean) => () => {
    isOpen.value = is;
  };
  useCloseOnBack(show(false), show(true));
  return null;
}

async function readSessionAgain(): Promise<void> {
  await resume();
  if (signedIn.value !== undefined) showAddress();
}

function NotOpened({ why }: { readonly why: CitewireError }) {
  if (why.code === 'unauthorized') return <SignInAgain />;
  return <FailureNotice failure={describeFailure(why)} onRetry={showAddress} />;
}

loadPage.value = (snapshot, signal) => signedIn.value!.client.snapshot(snapshot, { signal });
await resume();
loadModels();
loadCollections();
followAddress();
followSignedIn(showAddress);
render(<Chat />, document.body);
void loadServerTexts();
warmMarkdown();
