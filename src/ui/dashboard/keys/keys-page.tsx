/** The account's keys, active and revoked. */
import { useState } from 'preact/hooks';
import type { AccountUsage, ApiKey, ApiKeyList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { commandName } from '../../components/command-name.ts';
import { formatAgo, formatDateTime, formatNumber } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { counted, fill, rich } from '../../language/message.ts';
import { t as server } from '../../language/server/text.ts';
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
      <PageHead title={t.shell.keys} about={t.keys.about}>
        {canManage && (
          <Button look="main" onClick={() => setOpen({ kind: 'create' })}>
            {t.keys.new}
          </Button>
        )}
      </PageHead>
      {!canManage && (
        <div class="notice">
          <p>
            {rich(t.keys.withKey, { command: () => <code>{commandName} login</code> }).map((part) =>
              typeof part === 'string' ? fill(part, { name: session.value?.key?.name ?? '' }) : part,
            )}
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
        <EmptyState title={t.keys.none}>
          <p>{t.keys.noneText}</p>
        </EmptyState>
      )}
      {active.length > 0 && (
        <ul class="rows" aria-label={t.shell.keys}>
          {active.map((key) => (
            <KeyRow key={key.key_id} of={key} calls={callsOf(key.key_id)} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {revoked.length > 0 && (
        <details class="more">
          <summary>{counted(t.keys.countRevoked, revoked.length)}</summary>
          <ul class="rows" aria-label={t.keys.revokedKeys}>
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
          {name} {revoked_at !== null && <Badge tone="bad">{t.keys.revoked}</Badge>}
          {collections !== undefined && <Badge>{counted(t.keys.collectionsOnly, collections.length)}</Badge>}
        </span>
        {scopes.length > 0 && (
          <span class="row-about">
            {fill(t.keys.only, { scopes: scopes.map((scope) => server.scopes[scope]).join('; ') })}
          </span>
        )}
        <code class="row-code">cw_{key_id}_…</code>
      </div>
      <dl class="facts">
        <div>
          <dt>{t.keys.created}</dt>
          <dd title={formatDateTime(created_at)}>{formatAgo(created_at)}</dd>
        </div>
        {revoked_at === null ? (
          <div>
            <dt>{t.keys.lastUsed}</dt>
            <dd>{last_used_at === null ? t.keys.never : formatAgo(last_used_at)}</dd>
          </div>
        ) : (
          <div>
            <dt>{t.keys.revokedAt}</dt>
            <dd title={formatDateTime(revoked_at)}>{formatAgo(revoked_at)}</dd>
          </div>
        )}
        <div>
          <dt>{t.keys.calls}</dt>
          <dd>{calls === undefined ? '…' : formatNumber(calls)}</dd>
        </div>
      </dl>
      {revoked_at === null && session.value?.key === undefined && (
        <div class="row-actions">
          <Button
            look="quiet"
            aria-label={fill(t.keys.renameOf, { name })}
            onClick={() => onOpen({ kind: 'rename', key })}
          >
            {t.keys.rename}
          </Button>
          <Button
            look="danger"
            aria-label={fill(t.keys.revokeOf, { name })}
            onClick={() => onOpen({ kind: 'revoke', key })}
          >
            {t.keys.revoke}
          </Button>
        </div>
      )}
    </li>
  );
}
