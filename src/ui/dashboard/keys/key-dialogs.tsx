/** Making a key, which is shown once, renaming one and revoking one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey, KeyScope, NewApiKey } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { CopyText } from '../copy.tsx';
import { call } from '../session.ts';

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<NewApiKey>();
  const [scopes, setScopes] = useState<readonly KeyScope[]>([]);
  if (created === undefined) {
    return (
      <NameDialog
        title="New key"
        name=""
        action="Create key"
        onClose={onClose}
        onName={async (name) => setCreated(await call<NewApiKey>('POST', '/v1/keys', { name, scopes }))}
      >
        <ScopeFields scopes={scopes} onChange={setScopes} />
      </NameDialog>
    );
  }
  return (
    <Dialog title={`Key “${created.name}”`} onClose={onClose}>
      <p>This is the whole key. It is shown this once and kept nowhere: copy it to where it is needed.</p>
      <CopyText text={created.api_key} what="the key" />
      <div class="dialog-foot">
        <Button look="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

const scopeWords: Readonly<Record<KeyScope, string>> = {
  search: 'Ask questions and read pages',
  run: 'Run designed and published APIs',
  design: 'Make and publish designs',
};

interface ScopeFieldsProps {
  readonly scopes: readonly KeyScope[];
  readonly onChange: (scopes: readonly KeyScope[]) => void;
}

function ScopeFields({ scopes, onChange }: ScopeFieldsProps) {
  return (
    <fieldset class="checks">
      <legend class="field-label">Keep it to</legend>
      {(Object.keys(scopeWords) as KeyScope[]).map((scope) => (
        <label key={scope} class="check">
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))
            }
          />
          {scopeWords[scope]}
        </label>
      ))}
      <p class="field-hint">
        {scopes.length === 0 ? 'Nothing chosen: it may do everything.' : 'It may do this and nothing else.'}
      </p>
    </fieldset>
  );
}

export function RenameDialog({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  return (
    <NameDialog
      title="Rename key"
      name={key.name}
      action="Rename"
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
  /** Further fields. */
  readonly children?: ComponentChildren;
}

function NameDialog({ title, name: before, action, onName, onClose, children }: NameDialogProps) {
  const [name, setName] = useState(before);
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await onName(name).catch((error: Error) => setFault(error.message));
    setBusy(false);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="dialog-form" onSubmit={submit}>
        <Field
          label="Name"
          hint="What it is for: a machine, a program, a person."
          error={fault}
          value={name}
          maxLength={80}
          required
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        {children}
        <div class="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" disabled={isBusy || name.trim() === ''}>
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
    toast(`${key.name} is revoked`);
    onClose();
  };
  return (
    <ConfirmDialog title={`Revoke “${key.name}”?`} action="Revoke key" onConfirm={revoke} onClose={onClose}>
      Calls with this key will be refused, everywhere within 30 seconds. This cannot be taken back.
    </ConfirmDialog>
  );
}
