/** Sign-in with an API key, or through the provider of the server's operator. */
import { useState } from 'preact/hooks';
import type { CitewireError } from '../../client/client.ts';
import { ProviderLink } from '../account/provider-link.tsx';
import { signInWithKey } from '../account/signed-in.ts';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { fill } from '../language/message.ts';
import { t } from '../language/text.ts';
import { describeFailure } from './thread/failure-text.ts';
import { showAddress } from './thread/thread.ts';

interface SignInProps {
  /** Why the key is asked for; the usual words by default. */
  readonly hint?: string | undefined;
  readonly onSignedIn?: () => void;
}

export function SignIn({ hint = t.signIn.hint, onSignedIn = showAddress }: SignInProps) {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const [isAsking, setIsAsking] = useState(false);
  const send = async () => {
    setIsAsking(true);
    try {
      await signInWithKey(key.trim());
      onSignedIn();
    } catch (failure) {
      const { title, text } = describeFailure(failure as CitewireError);
      setError((failure as CitewireError).status === 401 ? t.signIn.invalid : `${title}. ${text}`);
      setIsAsking(false);
    }
  };
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '' && !isAsking) void send();
      }}
    >
      <ProviderLink label={(name) => fill(t.signIn.provider, { name })} />
      <Field
        label={t.signIn.key}
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="cw_…"
        hint={hint}
        error={error}
        value={key}
        onInput={(event) => {
          setKey(event.currentTarget.value);
          setError(undefined);
        }}
      />
      <Button look="main" type="submit" disabled={key.trim() === '' || isAsking}>
        {t.signIn.submit}
      </Button>
    </form>
  );
}
