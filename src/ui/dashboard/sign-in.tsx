/**
 * Signing in to the dashboard and designer: with a key, at a provider, or with a link. The link's secret is in the fragment, is
 * removed from the address bar before anything else happens, and is sent once. If the browser is already signed in, the user is
 * asked first: the link could be another person's.
 */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { CitewireError } from '../../client/client.ts';
import { secretOfLink } from '../account/browser-session.ts';
import { SignInForm } from '../account/sign-in-form.tsx';
import { Button } from '../components/button.tsx';
import { commandName } from '../components/command-name.ts';
import { Dialog } from '../components/dialog.tsx';
import { t } from '../language/account/text.ts';
import { describeError } from '../language/describe-error.ts';
import { fill } from '../language/message.ts';
import { t as shared } from '../language/text.ts';
import { CopyText } from './copy-text.tsx';
import { navigate } from './router.tsx';
import { declineRenewal, isHidden, session, signIn } from './session.ts';

/** Reads from the URL why a sign-in through a provider failed, as a sentence, and removes it there. */
export function takeProblem(): string | undefined {
  const problem = new URLSearchParams(location.search).get('problem');
  if (problem === null) return undefined;
  history.replaceState(null, '', location.pathname);
  return Object.hasOwn(t.problems, problem) ? t.problems[problem as keyof typeof t.problems] : t.problems.unknown;
}

/** The secret of the sign-in link that was opened last, until it is declined. */
export const openedLink = signal<string | undefined>(undefined);

/** Reads the secret of a sign-in link from the URL and removes it there. */
export function takeLink(): void {
  openedLink.value = secretOfLink(location.hash) ?? openedLink.value;
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
}

// Another link in the same tab changes only the fragment, so the page is not loaded again.
addEventListener('hashchange', () => {
  if (secretOfLink(location.hash) !== undefined) takeLink();
});

interface SignInProps {
  /** The secret of the link that was opened: another one needs another `key`. */
  readonly link: string | undefined;
  /** Why a sign-in failed before this page was opened. */
  readonly problem: string | undefined;
}

export function SignIn({ link, problem }: SignInProps) {
  const [error, setError] = useState(problem);
  /** Whether the link may still work: the server could not be asked. */
  const [mayRetry, setMayRetry] = useState(false);
  const [isBusy, setBusy] = useState(link !== undefined && session.value === null);

  async function open(secret: string) {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(secret);
      // The dashboard is one click away from the chat.
      location.replace('/');
    } catch (error) {
      setError(errorText(error as CitewireError));
      setMayRetry((error as CitewireError).code === 'connection_failed');
      setBusy(false);
    }
  }

  useEffect(() => {
    setTitle();
    if (link !== undefined && session.value === null) void open(link);
  }, []);

  return (
    <div class="sign-in">
      <h1>{t.signIn.title}</h1>
      {session.value && link !== undefined && (
        <div class="notice">
          <p>{fill(t.signIn.signedIn, { account: session.value.account.name })}</p>
          <div class="dialog-foot">
            <Button
              onClick={() => {
                navigate('', 'replace');
                openedLink.value = undefined;
              }}
            >
              {t.signIn.stay}
            </Button>
            <Button look="main" isBusy={isBusy} onClick={() => void open(link)}>
              {t.signIn.useLink}
            </Button>
          </div>
        </div>
      )}
      {isBusy && (
        <p class="loading" role="status">
          {t.signIn.busy}
        </p>
      )}
      {error !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p>{error}</p>
          {mayRetry && link !== undefined && <Button onClick={() => void open(link)}>{shared.failures.retry}</Button>}
        </div>
      )}
      {!isBusy && !session.value && (
        <>
          <SignInForm
            hint={shared.signIn.hint}
            signIn={(secret) => signIn(secret).then(leaveSignIn)}
            returnTo={pageBefore()}
          />
          <p>{t.signIn.about}</p>
          <CopyText text={`${commandName} login`} what="command" />
        </>
      )}
    </div>
  );
}

/** Over a page whose session has ended: what it shows, and what was typed, is kept. */
export function SignInAgain() {
  useEffect(() => {
    // The title of the page is part of what it shows, and is set again by its heading.
    if (isHidden.value) setTitle();
  }, [isHidden.value]);
  return (
    <Dialog title={t.signIn.again} onClose={declineRenewal}>
      <p>{t.signIn.ended}</p>
      <SignInForm hint={shared.signIn.hint} signIn={signIn} />
    </Dialog>
  );
}

function setTitle(): void {
  document.title = `${t.signIn.title} – Citewire`;
}

/** Another page of the dashboard that asked for a sign-in shows itself now. */
function leaveSignIn(): void {
  if (location.pathname === '/dashboard/sign-in') navigate('', 'replace');
}

/** The page of the dashboard that asked for a sign-in; the chat after a visit to this page itself. */
function pageBefore(): string {
  return location.pathname === '/dashboard/sign-in' ? '/' : location.pathname;
}

function errorText(error: { readonly code?: string }): string {
  return error.code === 'unauthorized' ? shared.signIn.usedLink : describeError(error);
}
