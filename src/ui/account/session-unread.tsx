/**
 * Takes the place of the form to sign in where it is not known whether this browser is signed in, because the server could not be asked:
 * a form would tell somebody on a bad network that the session is over. It asks again by itself once the network is back.
 */
import { useEffect } from 'preact/hooks';
import { FailureNotice } from '../chat/thread/ending/failure-notice.tsx';
import { describeFailure } from '../chat/thread/ending/failure-text.ts';
import { unreadSession } from './signed-in.ts';

export function SessionUnread({ onRetry }: { readonly onRetry: () => Promise<void> }) {
  useEffect(() => {
    addEventListener('online', onRetry);
    return () => removeEventListener('online', onRetry);
  }, []);
  if (unreadSession.value === undefined) return null;
  return <FailureNotice failure={{ ...describeFailure(unreadSession.value), canRetry: true }} onRetry={onRetry} />;
}
