/** What the server suggests to a new user, polled while it fills its index. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Suggestions } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { documentAddresses } from './attachments/documents.ts';

/** Polling interval while the index is filled, ms; set by hand. */
const pollMs = 700;
/** Looks for other questions after an upload: a busy server takes a while to make them. Set by hand. */
const maxLooks = 10;
/** A failure is not shown, since the page works without suggestions. */
const none: Suggestions = { questions: [] };

/** Undefined until the first answer of the server, or its failure. Documents that were just uploaded change them. */
export function useSuggestions(): Suggestions | undefined {
  const known = useSignal<Suggestions | undefined>(undefined);
  const client = signedIn.value?.client;
  const uploaded = documentAddresses.value.length;
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let looks = 0;
    const before = String(known.peek()?.questions);
    const look = async () => {
      const found = await client?.suggestions({ signal: leaving.signal }).catch(() => undefined);
      if (leaving.signal.aborted) return;
      known.value = found ?? known.value ?? none;
      looks += 1;
      const areOld = uploaded > 0 && looks < maxLooks && String(known.value.questions) === before;
      if (found?.indexing !== undefined || areOld) timer = setTimeout(look, pollMs);
    };
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [client, uploaded]);
  return known.value;
}
