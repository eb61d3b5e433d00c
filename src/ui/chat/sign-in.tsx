/** Signing in on the chat page. */
import { SignInForm } from '../account/sign-in-form.tsx';
import { signIn } from '../account/signed-in.ts';
import { commandName } from '../components/command-name.ts';
import { rich } from '../language/message.ts';
import { t } from '../language/text.ts';
import { describeFailure } from './thread/ending/failure-text.ts';
import { showAddress } from './thread/thread.ts';

interface SignInProps {
  /** Why the key is asked for; the usual words by default. */
  readonly hint?: string | undefined;
  readonly onSignedIn?: () => void;
}

export function SignIn({ hint = t.signIn.hint, onSignedIn = showAddress }: SignInProps) {
  return (
    <div class="sign-in">
      <SignInForm
        hint={hint}
        signIn={(secret) => signIn(secret).then(onSignedIn)}
        describe={(failure) => {
          const { title, text } = describeFailure(failure);
          return `${title}. ${text}`;
        }}
      />
      <p class="field-hint">{rich(t.signIn.newLink, { command: () => <code>{commandName} login</code> })}</p>
    </div>
  );
}
