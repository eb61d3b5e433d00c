/**
 * Sign-in with a link. Its secret is in the fragment, is removed from the address bar before anything else happens, and is
 * sent once. If the browser is signed in already, the user is asked first: the link could be another person's.
 */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { commandName } from '../components/command-name.ts';
import { Field } from '../components/field.tsx';
import { CopyText } from './copy-text.tsx';
import { navigate } from './router.tsx';
import { session, signIn } from './session.ts';

/** Reads the secret of a sign-in link from the URL and removes it there. */
export function takeLink(): string | undefined {
  const link = readLink(location.href);
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return link;
}

function readLink(text: string): string | undefined {
  return /(?:^|#)([\w-]{43})$/.exec(text.trim())?.[1];
}

export function SignIn({ link }: { readonly link: string | undefined }) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(link !== undefined && session.value === null);
  const [pasted, setPasted] = useState('');

  async function use(secret: string) {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(secret);
      // Opening a link leads to the chat; pasting one here leads to the dashboard.
      if (secret === link) location.replace('/');
      else navigate('', 'replace');
    } catch (error) {
      setError(errorText(error as Error & { code?: string }));
      setBusy(false);
    }
  }

  useEffect(() => {
    document.title = 'Sign in – Citewire';
    if (link !== undefined && session.value === null) void use(link);
  }, []);

  const submit = (event: Event) => {
    event.preventDefault();
    const secret = readLink(pasted);
    if (secret === undefined) setError('Expected a complete sign-in link; it ends in # and 43 characters.');
    else void use(secret);
  };

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
            <Button look="main" disabled={isBusy} onClick={() => void use(link)}>
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
            You sign in to the dashboard with a link that works once, within 10 minutes. The server prints one when it
            starts. To get a new one, run this on the server:
          </p>
          <CopyText text={`${commandName} login`} what="command" />
          <form class="sign-in-form" onSubmit={submit}>
            <Field
              label="Sign-in link"
              hint="You can also open the link directly."
              type="password"
              autocomplete="off"
              required
              value={pasted}
              onInput={(event) => setPasted(event.currentTarget.value)}
            />
            <Button look="main" type="submit">
              Sign in
            </Button>
          </form>
        </>
      )}
    </div>
  );
}

function errorText({ code, message }: { readonly code?: string; readonly message: string }): string {
  if (code !== 'unauthorized') return message;
  return 'This link was already used or is older than 10 minutes. Get a new one.';
}
