/** Dialogs to add a webhook, whose secret is shown once, to make a new secret, and to remove one. */
import { useState } from 'preact/hooks';
import type { NewWebhookEndpoint, WebhookEndpoint } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { CopyText } from '../copy-text.tsx';
import { call } from '../session.ts';

export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<NewWebhookEndpoint>();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (created !== undefined) return <SecretDialog title="Signing secret" secret={created.secret} onClose={onClose} />;
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await call<NewWebhookEndpoint>('POST', '/v1/webhooks', { url, name }).then(setCreated, (error: Error) =>
      setError(error.message),
    );
    setBusy(false);
  };
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <form class="dialog-form" onSubmit={submit}>
        <Field
          label="URL"
          hint="A public address that accepts POST, such as https://example.org/hook."
          error={error}
          type="url"
          value={url}
          maxLength={2048}
          required
          autocomplete="off"
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
        <Field
          label="Name"
          hint="Optional."
          value={name}
          maxLength={80}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <div class="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" disabled={isBusy || url.trim() === ''}>
            Add webhook
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
  if (rotated !== undefined) return <SecretDialog title="New secret" secret={rotated.secret} onClose={onClose} />;
  const rotate = async () => setRotated(await call<NewWebhookEndpoint>('POST', `/v1/webhooks/${webhook_id}/rotate`));
  return (
    <ConfirmDialog title="Make a new secret?" action="Make a new secret" onConfirm={rotate} onClose={onClose}>
      For a day, what is sent to {url} is signed with both secrets, so you can change yours meanwhile.
    </ConfirmDialog>
  );
}

export function RemoveDialog({ of: { webhook_id, url }, onClose }: EndpointDialogProps) {
  const remove = async () => {
    await call('DELETE', `/v1/webhooks/${webhook_id}`);
    toast('Webhook removed');
    onClose();
  };
  return (
    <ConfirmDialog title="Remove this webhook?" action="Remove webhook" onConfirm={remove} onClose={onClose}>
      Nothing more is sent to {url}, not even what is waiting. This cannot be undone.
    </ConfirmDialog>
  );
}

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

function SecretDialog({ title, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>Copy this secret now, so that your program can verify what it is sent. It is not shown again.</p>
      <CopyText text={secret} what="secret" />
      <div class="dialog-foot">
        <Button look="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
