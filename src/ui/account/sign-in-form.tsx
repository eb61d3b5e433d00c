/** Signing in on any page: through the operator's provider, with a key, or with a sign-in link. */
import { useState } from 'preact/hooks';
import type { CitewireError } from '../../client/client.ts';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { describeError } from '../language/describe-error.ts';
import { fill } from '../language/message.ts';
import { t } from '../language/text.ts';
import { secretOfLink } from './browser-session.ts';
import { ProviderLink, useProvider } from './provider-link.tsx';

interface SignInFormProps {
  readonly hint: string;
  /** Signs in with a key or a link. Rejects with CitewireError. */
  readonly signIn: (secret: string) => Promise<unknown>;
  /** The path that the provider returns to; by default this page. */
  readonly returnTo?: string;
}

export function SignInForm({ hint, signIn, returnTo }: SignInFormProps) {
  const provider = useProvider();
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const [isAsking, setIsAsking] = useState(false);
  const send = async () => {
    setIsAsking(true);
    try {
      await signIn(secret);
    } catch (thrown) {
      const failure = thrown as CitewireError;
      const invalid = secretOfLink(secret) === undefined ? t.signIn.invalid : t.signIn.usedLink;
      setError(failure.status === 401 ? invalid : describeError(failure));
      setIsAsking(false);
    }
  };
  return (
    <form
      class="sign-in-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (secret.trim() !== '') void send();
      }}
    >
      {provider !== undefined && (
        <ProviderLink label={fill(t.signIn.provider, { name: provider })} {...(returnTo && { returnTo })} />
      )}
      <Field
        label={t.signIn.key}
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="cw_…"
        hint={hint}
        error={error}
        value={secret}
        onInput={(event) => {
          setSecret(event.currentTarget.value);
          setError(undefined);
        }}
      />
      <Button
        look={provider === undefined ? 'main' : 'plain'}
        type="submit"
        disabled={secret.trim() === ''}
        isBusy={isAsking}
      >
        {t.signIn.submit}
      </Button>
    </form>
  );
}
