/** Dialogs to create a key, which is shown once, to rename and to revoke one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey, KeyScope, NewApiKey } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError, describeFieldError, isOfField } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { t as server } from '../../language/server/text.ts';
import { SecretDialog } from '../secret-dialog.tsx';
import { call } from '../session.ts';
import { CollectionFields } from './collection-fields.tsx';

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<NewApiKey>();
  const [scopes, setScopes] = useState<readonly KeyScope[]>([]);
  const [collections, setCollections] = useState<readonly string[]>([]);
  if (created === undefined) {
    return (
      <NameDialog
        title={t.keys.new}
        name=""
        action={t.keys.create}
        onClose={onClose}
        onName={async (name) => setCreated(await call<NewApiKey>('POST', '/v1/keys', { name, scopes, collections }))}
      >
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <CollectionFields chosen={collections} onChange={setCollections} />
      </NameDialog>
    );
  }
  return (
    <SecretDialog
      title={fill(t.keys.createdTitle, { name: created.name })}
      hint={t.keys.copyNow}
      secret={created.api_key}
      what="key"
      onClose={onClose}
    />
  );
}

/** Only the operator of the server makes keys for administrators. */
const { admin: _, ...offered } = server.scopes;

interface ScopeFieldsProps {
  readonly scopes: readonly KeyScope[];
  readonly onChange: (scopes: readonly KeyScope[]) => void;
}

function ScopeFields({ scopes, onChange }: ScopeFieldsProps) {
  return (
    <fieldset class="checks">
      <legend class="field-label">{t.keys.restrict}</legend>
      {(Object.entries(offered) as [KeyScope, string][]).map(([scope, means]) => (
        <label key={scope} class="check">
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))
            }
          />
          {means}
        </label>
      ))}
      <p class="field-hint">{scopes.length === 0 ? t.keys.full : t.keys.selected}</p>
    </fieldset>
  );
}

export function RenameDialog({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  return (
    <NameDialog
      title={t.keys.renameTitle}
      name={key.name}
      action={t.keys.rename}
      onClose={onClose}
      onName={async (name) => {
        await call('PATCH', `/v1/keys/${key.key_id}`, { name });
        onClose();
      }}
    />
  );
}

interface NameDialogProps {
  readonly title: string;
  readonly name: string;
  readonly action: string;
  readonly onName: (name: string) => Promise<void>;
  readonly onClose: () => void;
  /** Additional fields. */
  readonly children?: ComponentChildren;
}

function NameDialog({ title, name: before, action, onName, onClose, children }: NameDialogProps) {
  const [name, setName] = useState(before);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await onName(name).catch(setError);
    setBusy(false);
  };
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <form class="dialog-form" onSubmit={submit}>
        <Field
          label={t.common.name}
          hint={t.keys.nameHint}
          error={error !== undefined && isOfField(error) ? describeFieldError(error) : undefined}
          value={name}
          maxLength={80}
          required
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        {children}
        {error !== undefined && !isOfField(error) && (
          <p class="notice notice-bad" role="alert">
            {describeError(error)}
          </p>
        )}
        <div class="dialog-foot">
          <Button disabled={isBusy} onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button look="main" type="submit" disabled={name.trim() === ''} isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function RevokeDialog({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  const revoke = async () => {
    await call('DELETE', `/v1/keys/${key.key_id}`);
    toast(fill(t.keys.revokedToast, { name: key.name }));
    onClose();
  };
  return (
    <ConfirmDialog
      title={fill(t.keys.revokeTitle, { name: key.name })}
      action={t.keys.revokeAction}
      onConfirm={revoke}
      onClose={onClose}
    >
      {t.keys.revokeText}
    </ConfirmDialog>
  );
}
