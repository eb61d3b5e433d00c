/** The account's keys: made, shown once, renamed, revoked. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AccountUsage, ApiKey, ApiKeyList, KeyScope, NewApiKey } from '../../../protocol/index.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Field } from '../design/field.tsx';
import { toast } from '../design/toast.tsx';
import { CopyText } from './copy.tsx';
import { useLoad } from './load.ts';
import { Badge, Empty, LoadedView, PageHead } from './parts.tsx';
import { call } from './session.ts';
import { agoWords, dateTimeWords, numberWords } from './words.ts';

type Open = { readonly kind: 'create' } | { readonly kind: 'rename' | 'revoke'; readonly key: ApiKey };

export function KeysPage() {
  const keys = useLoad(() => call<ApiKeyList>('GET', '/v1/keys'), []);
  const usage = useLoad(() => call<AccountUsage>('GET', '/v1/account/usage'), []);
  const [open, setOpen] = useState<Open>();
  const done = () => {
    setOpen(undefined);
    keys.reload();
  };
  return (
    <>
      <PageHead title="Keys" about="A key stands for this account in calls of the API. Each has a minute of its own.">
        <Button look="main" onClick={() => setOpen({ kind: 'create' })}>
          New key
        </Button>
      </PageHead>
      <LoadedView loaded={keys}>
        {({ items }) => <KeyLists items={items} callsOf={(id) => callsOf(usage.data, id)} onOpen={setOpen} />}
      </LoadedView>
      {open?.kind === 'create' && <CreateDialog onClose={done} />}
      {open?.kind === 'rename' && <RenameDialog of={open.key} onClose={done} />}
      {open?.kind === 'revoke' && <RevokeDialog of={open.key} onClose={done} />}
    </>
  );
}

function callsOf(usage: AccountUsage | undefined, id: string): number | undefined {
  return usage && (usage.keys.find(({ key_id }) => key_id === id)?.calls ?? 0);
}

interface ListsProps {
  readonly items: readonly ApiKey[];
  readonly callsOf: (id: string) => number | undefined;
  readonly onOpen: (open: Open) => void;
}

function KeyLists({ items, callsOf, onOpen }: ListsProps) {
  const newestFirst = [...items].reverse();
  const active = newestFirst.filter(({ revoked_at }) => revoked_at === null);
  const revoked = newestFirst.filter(({ revoked_at }) => revoked_at !== null);
  return (
    <>
      {active.length === 0 && (
        <Empty title="No keys yet">
          <p>Make one to call the API from your own programs.</p>
        </Empty>
      )}
      {active.length > 0 && (
        <ul class="rows" aria-label="Keys">
          {active.map((key) => (
            <KeyRow key={key.key_id} of={key} calls={callsOf(key.key_id)} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {revoked.length > 0 && (
        <details class="more">
          <summary>
            {revoked.length} revoked {revoked.length === 1 ? 'key' : 'keys'}
          </summary>
          <ul class="rows" aria-label="Revoked keys">
            {revoked.map((key) => (
              <KeyRow key={key.key_id} of={key} calls={callsOf(key.key_id)} onOpen={onOpen} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface RowProps {
  readonly of: ApiKey;
  readonly calls: number | undefined;
  readonly onOpen: (open: Open) => void;
}

function KeyRow({ of: key, calls, onOpen }: RowProps) {
  const { key_id, name, scopes, created_at, last_used_at, revoked_at } = key;
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {name} {revoked_at !== null && <Badge tone="bad">revoked</Badge>}
          {scopes.length > 0 && <Badge>{scopes.join(', ')} only</Badge>}
        </span>
        <code class="row-code">cw_{key_id}_…</code>
      </div>
      <dl class="facts">
        <div>
          <dt>Created</dt>
          <dd title={dateTimeWords(created_at)}>{agoWords(created_at)}</dd>
        </div>
        {revoked_at === null ? (
          <div>
            <dt>Last used</dt>
            <dd>{last_used_at === null ? 'never' : agoWords(last_used_at)}</dd>
          </div>
        ) : (
          <div>
            <dt>Revoked</dt>
            <dd title={dateTimeWords(revoked_at)}>{agoWords(revoked_at)}</dd>
          </div>
        )}
        <div>
          <dt>Calls in 31 days</dt>
          <dd>{calls === undefined ? '…' : numberWords(calls)}</dd>
        </div>
      </dl>
      {revoked_at === null && (
        <div class="row-actions">
          <Button look="quiet" aria-label={`Rename ${name}`} onClick={() => onOpen({ kind: 'rename', key })}>
            Rename
          </Button>
          <Button look="danger" aria-label={`Revoke ${name}`} onClick={() => onOpen({ kind: 'revoke', key })}>
            Revoke
          </Button>
        </div>
      )}
    </li>
  );
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
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

function RenameDialog({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
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

function RevokeDialog({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  const [fault, setFault] = useState<string>();
  const revoke = async () => {
    try {
      await call('DELETE', `/v1/keys/${key.key_id}`);
      toast(`${key.name} is revoked`);
      onClose();
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <Dialog title={`Revoke “${key.name}”?`} onClose={onClose}>
      <p>Calls with this key will be refused, everywhere within 30 seconds. This cannot be taken back.</p>
      {fault !== undefined && (
        <p class="notice notice-bad" role="alert">
          {fault}
        </p>
      )}
      <div class="dialog-foot">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" onClick={revoke}>
          Revoke key
        </Button>
      </div>
    </Dialog>
  );
}
