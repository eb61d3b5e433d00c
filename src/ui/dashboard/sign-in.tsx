/**
 * Signing in with a link. Its secret stands behind the `#`, leaves the address bar before anything else happens, and is
 * sent once. A browser that is signed in already is asked first: a link could be somebody else's.
 */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { go } from './address.tsx';
import { CopyText } from './copy.tsx';
import { session, signIn } from './session.ts';

/** The secret of a link in the address, which is taken out of it. */
export function takeLink(): string | undefined {
  const link = readLink(location.href);
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return link;
}

function readLink(text: string): string | undefined {
  return /(?:^|#)([\w-]{43})$/.exec(text.trim())?.[1];
}

export function SignIn({ link }: { readonly link: string | undefined }) {
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(link !== undefined && session.value === null);
  const [pasted, setPasted] = useState('');

  async function use(secret: string) {
    setBusy(true);
    setFault(undefined);
    try {
      await signIn(secret);
      go('', 'replace');
    } catch (error) {
      setFault(wordsFor(error as Error & { code?: string }));
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
    if (secret === undefined) setFault('Expected a whole sign-in link; it ends in # and 43 characters.');
    else void use(secret);
  };

  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      {session.value && link !== undefined && (
        <div class="notice">
          <p>You are signed in to {session.value.account.name}. This link signs this browser in anew.</p>
          <div class="dialog-foot">
            <Button onClick={() => go('', 'replace')}>Stay signed in</Button>
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
      {fault !== undefined && (
        <p class="notice notice-bad" role="alert">
          {fault}
        </p>
      )}
      {!isBusy && !session.value && (
        <>
          <p>
            This dashboard opens with a link that is good for one sign-in within 10 minutes. The server prints one when
            it starts; on its machine, this prints another:
          </p>
          <CopyText text="npm run -s citewire -- login" what="the command" />
          <form class="sign-in-form" onSubmit={submit}>
            <Field
              label="Sign-in link"
              hint="Opening the link does the same as pasting it here."
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

function wordsFor({ code, message }: { readonly code?: string; readonly message: string }): string {
  if (code !== 'unauthorized') return message;
  return 'This link was used already, or is older than 10 minutes. Ask for a new one.';
}
