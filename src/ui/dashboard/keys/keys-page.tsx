/** The account's keys, active and revoked. */
import { useState } from 'preact/hooks';
import type { AccountUsage, ApiKey, ApiKeyList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { commandName } from '../../components/command-name.ts';
import { formatAgo, formatDateTime, formatNumber } from '../../components/format.ts';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { call, session } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { CreateDialog, RenameDialog, RevokeDialog } from './key-dialogs.tsx';

type Open = { readonly kind: 'create' } | { readonly kind: 'rename' | 'revoke'; readonly key: ApiKey };

export function KeysPage() {
  const keys = useLoad(() => call<ApiKeyList>('GET', '/v1/keys'), []);
  const usage = useLoad(() => call<AccountUsage>('GET', '/v1/account/usage'), []);
  const [open, setOpen] = useState<Open>();
  /** A key cannot create others that outlive it. */
  const canManage = session.value?.key === undefined;
  const done = () => {
    setOpen(undefined);
    keys.reload();
  };
  return (
    <>
      <PageHead title="Keys" about="Keys authenticate API calls of this account. Each key has its own rate limit.">
        {canManage && (
          <Button look="main" onClick={() => setOpen({ kind: 'create' })}>
            New key
          </Button>
        )}
      </PageHead>
      {!canManage && (
        <div class="notice">
          <p>
            You signed in with the key {session.value?.key?.name}. To create, rename or revoke keys, sign in with a
            link: run <code>{commandName} login</code> on the server.
          </p>
        </div>
      )}
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
        <EmptyState title="No keys yet">
          <p>Create one to call the API from your own programs.</p>
        </EmptyState>
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
  const { key_id, name, scopes, collections, created_at, last_used_at, revoked_at } = key;
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {name} {revoked_at !== null && <Badge tone="bad">revoked</Badge>}
          {scopes.length > 0 && <Badge>{scopes.join(', ')} only</Badge>}
          {collections !== undefined && (
            <Badge>{collections.length === 1 ? '1 collection only' : `${collections.length} collections only`}</Badge>
          )}
        </span>
        <code class="row-code">cw_{key_id}_…</code>
      </div>
      <dl class="facts">
        <div>
          <dt>Created</dt>
          <dd title={formatDateTime(created_at)}>{formatAgo(created_at)}</dd>
        </div>
        {revoked_at === null ? (
          <div>
            <dt>Last used</dt>
            <dd>{last_used_at === null ? 'never' : formatAgo(last_used_at)}</dd>
          </div>
        ) : (
          <div>
            <dt>Revoked</dt>
            <dd title={formatDateTime(revoked_at)}>{formatAgo(revoked_at)}</dd>
          </div>
        )}
        <div>
          <dt>Calls, last 31 days</dt>
          <dd>{calls === undefined ? '…' : formatNumber(calls)}</dd>
        </div>
      </dl>
      {revoked_at === null && session.value?.key === undefined && (
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
