/** Makes, shows once and revokes the share link of a thread. */
import { useState } from 'preact/hooks';
import type { CitewireError, Client, ThreadSummary } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { describeFailure } from './failure-text.ts';

export interface ShareDialogProps {
  readonly client: Client;
  readonly thread: ThreadSummary;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function ShareDialog({ client, thread, onChange, onClose }: ShareDialogProps) {
  const [days, setDays] = useState(7);
  const [share, setShare] = useState(thread.share);
  const [url, setUrl] = useState<string>();
  const [error, setError] = useState<string>();
  const act = async (action: () => Promise<void>) => {
    try {
      await action();
      setError(undefined);
      onChange();
    } catch (failure) {
      setError(describeFailure(failure as CitewireError).title);
    }
  };
  const make = () =>
    act(async () => {
      const made = await client.threads.share(thread.thread_id, { days });
      setShare(made);
      setUrl(made.url);
    });
  const revoke = () =>
    act(async () => {
      await client.threads.unshare(thread.thread_id);
      setShare(undefined);
      setUrl(undefined);
    });
  const copy = () =>
    navigator.clipboard.writeText(url!).then(
      () => toast('Link copied.'),
      () => toast('The browser blocked copying.'),
    );

  return (
    <Dialog title="Share this thread" onClose={onClose}>
      <p>
        Anyone with the link can read this thread as it is now: its questions, its answers and the pages they cite. They
        see nothing that you ask later, and nothing else of your account.
      </p>
      {error !== undefined && (
        <p class="notice notice-bad" role="alert">
          {error}
        </p>
      )}
      {url === undefined ? (
        <SelectField
          label="The link works for"
          value={String(days)}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        >
          {[1, 7, 30, 90].map((count) => (
            <option key={count} value={count}>
              {count === 1 ? '1 day' : `${count} days`}
            </option>
          ))}
        </SelectField>
      ) : (
        <Field
          label="Link"
          readOnly
          value={url}
          hint="Shown only now. If you lose it, make another one; this one then stops working."
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {share !== undefined && (
        <p class="field-hint">
          {url === undefined ? 'There is a link, made' : 'Made'} {dateOf(share.created_at)}; it works until{' '}
          {dateOf(share.expires_at)}.
        </p>
      )}
      <div class="dialog-foot">
        {share !== undefined && (
          <Button look="danger" onClick={() => void revoke()}>
            Revoke link
          </Button>
        )}
        {url === undefined ? (
          <Button look="main" onClick={() => void make()}>
            {share === undefined ? 'Make link' : 'Replace link'}
          </Button>
        ) : (
          <Button look="main" onClick={() => void copy()}>
            Copy link
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function dateOf(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
