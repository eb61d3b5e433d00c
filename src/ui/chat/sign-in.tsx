/** Signing in on the chat page, also again: after the session has ended while the page was open. */
import { useEffect, useRef } from 'preact/hooks';
import { wasSignedOutElsewhere } from '../account/browser-session.ts';
import { SignInForm } from '../account/sign-in-form.tsx';
import { signedIn, signIn } from '../account/signed-in.ts';
import { commandName } from '../components/command-name.ts';
import { fill, rich } from '../language/message.ts';
import { t } from '../language/text.ts';
import { showAddress } from './thread/thread.ts';

interface SignInProps {
  readonly onSignedIn?: () => void;
}

export function SignIn({ onSignedIn = showAddress }: SignInProps) {
  return (
    <div class="sign-in">
      <SignInForm hint={t.signIn.hint} signIn={(secret) => signIn(secret).then(onSignedIn)} />
      <p class="field-hint">{rich(t.signIn.newLink, { command: () => <code>{commandName} login</code> })}</p>
    </div>
  );
}

/** Says why nobody is signed in any more, with the form, which is scrolled to above the question box. */
export function SignInAgain(props: SignInProps) {
  const key = wasSignedOutElsewhere() ? undefined : signedIn.value?.session.key;
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={shown} class="sign-in-again">
      <div class="notice notice-plain" role="alert">
        <p class="notice-title">{t.failures.unauthorized}</p>
        <p>{key === undefined ? t.failures.sessionEnded : fill(t.failures.keyEnded, { name: key.name })}</p>
      </div>
      <SignIn {...props} />
    </div>
  );
}
