/**
 * Signing in to the dashboard and designer: with a key, at a provider, or with a link. Its secret is in the fragment, is removed from the address bar before anything else happens, and is
 * sent once. If the browser is signed in already, the user is asked first: the link could be another person's.
 */
import { useEffect, useState } from 'preact/hooks';
import { secretOfLink } from '../account/browser-session.ts';
import { SignInForm } from '../account/sign-in-form.tsx';
import { Button } from '../components/button.tsx';
import { commandName } from '../components/command-name.ts';
import { Dialog } from '../components/dialog.tsx';
import { t } from '../language/text.ts';
import { CopyText } from './copy-text.tsx';
import { navigate } from './router.tsx';
import { hasEnded, session, signIn } from './session.ts';

/** Why a sign-in through a provider failed, by the word in the URL. */
const problems: Readonly<Record<string, string>> = {
  cancelled: 'You were not signed in: the sign-in was cancelled.',
  unavailable: 'The provider that you sign in with cannot be reached at the moment. Try again in a few minutes.',
  invalid:
    'The answer of the provider could not be verified. Try again, and tell your administrator if this continues.',
  expired: 'This sign-in took too long, or was begun in another browser or tab. Try again.',
  not_allowed: 'You may not sign in to this server. Ask your administrator for access.',
  inactive: 'Your account is suspended. Ask your administrator.',
  rate_limited: 'Too many people signed in from your network. Try again in a minute.',
};

/** Reads from the URL why a sign-in through a provider failed, as a sentence, and removes it there. */
export function takeProblem(): string | undefined {
  const problem = new URLSearchParams(location.search).get('problem');
  if (problem === null) return undefined;
  history.replaceState(null, '', location.pathname);
  return Object.hasOwn(problems, problem) ? problems[problem] : 'The sign-in failed. Try again.';
}

/** Reads the secret of a sign-in link from the URL and removes it there. */
export function takeLink(): string | undefined {
  const link = secretOfLink(location.hash);
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return link;
}

interface SignInProps {
  /** The secret of the link that was opened. */
  readonly link: string | undefined;
  /** Why a sign-in failed before this page was opened. */
  readonly problem: string | undefined;
}

export function SignIn({ link, problem }: SignInProps) {
  const [error, setError] = useState(problem);
  const [isBusy, setBusy] = useState(link !== undefined && session.value === null);

  async function open(secret: string) {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(secret);
      // The dashboard is one click away from the chat.
      location.replace('/');
    } catch (error) {
      setError(errorText(error as Error & { code?: string }));
      setBusy(false);
    }
  }

  useEffect(() => {
    document.title = 'Sign in – Citewire';
    if (link !== undefined && session.value === null) void open(link);
  }, []);

  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      {session.value && link !== undefined && (
        <div class="notice">
          <p>
            You are signed in to {session.value.account.name}. This link would sign you in again, possibly to another
            account.
          </p>
          <div class="dialog-foot">
            <Button onClick={() => navigate('', 'replace')}>Stay signed in</Button>
            <Button look="main" disabled={isBusy} onClick={() => void open(link)}>
              Use the link
            </Button>
          </div>
        </div>
      )}
      {isBusy && (
        <p class="loading" role="status">
          Signing in…
        </p>
      )}
      {error !== undefined && (
        <p class="notice notice-bad" role="alert">
          {error}
        </p>
      )}
      {!isBusy && !session.value && (
        <>
          <p>
            Sign in with an API key, or with a link, which works once, within 10 minutes, and also manages keys. The
            server prints one when it starts. To get a new one, run this on the server:
          </p>
          <CopyText text={`${commandName} login`} what="command" />
          <SignInForm
            hint={t.signIn.hint}
            signIn={(secret) => signIn(secret).then(leaveSignIn)}
            describe={({ message }) => message}
            returnTo={pageBefore()}
          />
        </>
      )}
    </div>
  );
}

/** Over a page whose session has ended: what it shows, and what was typed, is kept. */
export function SignInAgain() {
  return (
    <Dialog
      title="Sign in again"
      onClose={() => {
        hasEnded.value = false;
      }}
    >
      <p>Your session has ended, or its key was revoked. This page stays as it is.</p>
      <SignInForm hint={t.signIn.hint} signIn={signIn} describe={({ message }) => message} />
    </Dialog>
  );
}

/** Another page of the dashboard that asked for a sign-in shows itself now. */
function leaveSignIn(): void {
  if (location.pathname === '/dashboard/sign-in') navigate('', 'replace');
}

/** The page of the dashboard that asked for a sign-in; the chat after a visit to this page itself. */
function pageBefore(): string {
  return location.pathname === '/dashboard/sign-in' ? '/' : location.pathname;
}

function errorText({ code, message }: { readonly code?: string; readonly message: string }): string {
  return code === 'unauthorized' ? t.signIn.usedLink : message;
}
