/** For whoever comes with a key. */
import { useState } from 'preact/hooks';
import type { CitewireError } from '../../client/client.ts';
import { signInWith } from '../account/signed-in.ts';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { failureWords } from './thread/failure.ts';
import { readAddress } from './thread/thread.ts';

export function SignIn() {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const [isAsking, setIsAsking] = useState(false);
  const send = async () => {
    setIsAsking(true);
    try {
      await signInWith(key.trim());
      readAddress();
    } catch (failure) {
      const { title, text } = failureWords(failure as CitewireError);
      setError((failure as CitewireError).status === 401 ? 'This key is not known.' : `${title}. ${text}`);
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
      <Field
        label="API key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="cw_…"
        hint="The server showed one when it was first started, and a link that signs in without. This tab forgets the key when it is closed."
        error={error}
        value={key}
        onInput={(event) => {
          setKey(event.currentTarget.value);
          setError(undefined);
        }}
      />
      <Button look="main" type="submit" disabled={key.trim() === '' || isAsking}>
        Sign in
      </Button>
    </form>
  );
}
