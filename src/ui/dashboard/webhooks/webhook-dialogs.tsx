/** Dialogs that add a webhook, whose secret is shown once, rotate its secret, and remove it. */
import { useState } from 'preact/hooks';
import type { NewWebhookEndpoint, WebhookEndpoint } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeFieldError } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { SecretDialog } from '../secret-dialog.tsx';
import { call } from '../session.ts';

export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<NewWebhookEndpoint>();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (created !== undefined)
    return <WebhookSecret title={t.webhooks.secretTitle} secret={created.secret} onClose={onClose} />;
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await call<NewWebhookEndpoint>('POST', '/v1/webhooks', { url, name }).then(setCreated, (error: Error) =>
      setError(describeFieldError(error)),
    );
    setBusy(false);
  };
  return (
    <Dialog title={t.webhooks.new} isBusy={isBusy} onClose={onClose}>
      <form class="dialog-form" onSubmit={submit}>
        <Field
          label={t.sources.url}
          hint={t.webhooks.urlHint}
          error={error}
          type="url"
          value={url}
          maxLength={2048}
          required
          autocomplete="off"
          onInput={(event) => {
            setUrl(event.currentTarget.value);
            // It is about another address.
            setError(undefined);
          }}
        />
        <Field
          label={t.common.name}
          hint={t.common.optional}
          value={name}
          maxLength={80}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <div class="dialog-foot">
          <Button disabled={isBusy} onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button look="main" type="submit" disabled={url.trim() === ''} isBusy={isBusy}>
            {t.webhooks.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface EndpointDialogProps {
  readonly of: WebhookEndpoint;
  readonly onClose: () => void;
}

export function RotateDialog({ of: { webhook_id, url }, onClose }: EndpointDialogProps) {
  const [rotated, setRotated] = useState<NewWebhookEndpoint>();
  if (rotated !== undefined)
    return <WebhookSecret title={t.webhooks.newSecret} secret={rotated.secret} onClose={onClose} />;
  const rotate = async () => setRotated(await call<NewWebhookEndpoint>('POST', `/v1/webhooks/${webhook_id}/rotate`));
  return (
    <ConfirmDialog title={t.webhooks.rotateTitle} action={t.webhooks.rotate} onConfirm={rotate} onClose={onClose}>
      {fill(t.webhooks.rotateText, { url })}
    </ConfirmDialog>
  );
}

export function RemoveDialog({ of: { webhook_id, url }, onClose }: EndpointDialogProps) {
  const remove = async () => {
    await call('DELETE', `/v1/webhooks/${webhook_id}`);
    toast(t.webhooks.removed);
    onClose();
  };
  return (
    <ConfirmDialog title={t.webhooks.removeTitle} action={t.webhooks.removeAction} onConfirm={remove} onClose={onClose}>
      {fill(t.webhooks.removeText, { url })}
    </ConfirmDialog>
  );
}

interface WebhookSecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

function WebhookSecret(props: WebhookSecretProps) {
  return <SecretDialog hint={t.webhooks.copyNow} what="secret" {...props} />;
}
