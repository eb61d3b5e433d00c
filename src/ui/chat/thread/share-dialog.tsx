/** Makes, shows once and revokes the share link of a thread. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Client, ThreadSummary } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { copyToClipboard } from '../../components/clipboard.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { formatDateTime } from '../../components/format.ts';
import { describeError } from '../../language/describe-error.ts';
import { counted, fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';

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
  const [isBusy, setBusy] = useState(false);
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A button that goes takes the focus with it.
    if (!isBusy && document.activeElement === document.body)
      foot.current?.querySelector<HTMLElement>('.button-main')?.focus();
  }, [isBusy]);
  const act = async (action: () => Promise<void>) => {
    setBusy(true);
    try {
      await action();
      setError(undefined);
      onChange();
    } catch (failure) {
      setError(describeError(failure));
    }
    setBusy(false);
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
  const copy = () => copyToClipboard(url!, t.copy.linkCopied);

  return (
    <Dialog isOnce={url !== undefined} isBusy={isBusy} title={t.share.title} onClose={onClose}>
      <p>{t.share.about}</p>
      {error !== undefined && (
        <p class="notice notice-bad" role="alert">
          {error}
        </p>
      )}
      {url === undefined ? (
        <SelectField
          label={t.share.worksFor}
          value={String(days)}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        >
          {[1, 7, 30, 90].map((count) => (
            <option key={count} value={count}>
              {counted(t.share.days, count)}
            </option>
          ))}
        </SelectField>
      ) : (
        <Field
          label={t.share.link}
          readOnly
          value={url}
          hint={t.share.linkHint}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {share !== undefined && (
        <p class="field-hint">
          {fill(url === undefined ? t.share.exists : t.share.made, {
            made: formatDateTime(share.created_at),
            end: formatDateTime(share.expires_at),
          })}
        </p>
      )}
      <div class="dialog-foot" ref={foot}>
        {share !== undefined && (
          <Button look="danger" isBusy={isBusy} onClick={() => void revoke()}>
            {t.share.revoke}
          </Button>
        )}
        {url === undefined ? (
          <Button look="main" isBusy={isBusy} onClick={() => void make()}>
            {share === undefined ? t.share.make : t.share.replace}
          </Button>
        ) : (
          <Button look="main" onClick={() => void copy()}>
            {t.share.copy}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
