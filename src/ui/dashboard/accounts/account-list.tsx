/** The list of accounts, with a search, a filter and pages. */
import { useState } from 'preact/hooks';
import type { AccountSummary, AccountList as Accounts } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { formatAgo, formatDateTime, formatNumber } from '../../components/format.ts';
import { t } from '../../language/account/text.ts';
import { fill } from '../../language/message.ts';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PagedList } from '../paged-list.tsx';
import { call, session } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { PlanDialog, StatusDialog } from './account-dialogs.tsx';

type Open = { readonly kind: 'plan' | 'status'; readonly account: AccountSummary };

export function AccountList() {
  const [words, setWords] = useState('');
  const [status, setStatus] = useState('');
  const [open, setOpen] = useState<Open>();
  const [round, setRound] = useState(0);
  const query = new URLSearchParams({
    limit: '20',
    ...(words.trim() && { q: words.trim() }),
    ...(status && { status }),
  });
  const path = `/v1/accounts?${query}`;
  const first = useLoad(() => call<Accounts>('GET', path), [path, round]);
  const done = () => {
    setOpen(undefined);
    setRound(round + 1);
  };
  return (
    <>
      <search class="filters" aria-label={t.accounts.list}>
        <Field
          label={t.accounts.search}
          type="search"
          placeholder={t.accounts.searchHint}
          maxLength={200}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <SelectField
          label={t.accounts.status}
          value={status}
          onChange={({ currentTarget }) => setStatus(currentTarget.value)}
        >
          <option value="">{t.accounts.all}</option>
          <option value="active">{t.accounts.active}</option>
          <option value="suspended">{t.accounts.suspended}</option>
          <option value="banned">{t.accounts.banned}</option>
        </SelectField>
      </search>
      <LoadedView loaded={first}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title={t.accounts.none} />
          ) : (
            <PagedList key={path} first={page} path={path}>
              {(items) => (
                <ul class="rows" aria-label={t.accounts.list}>
                  {items.map((account) => (
                    <AccountRow key={account.account_id} of={account} onOpen={setOpen} />
                  ))}
                </ul>
              )}
            </PagedList>
          )
        }
      </LoadedView>
      {open?.kind === 'plan' && <PlanDialog of={open.account} onClose={done} />}
      {open?.kind === 'status' && <StatusDialog of={open.account} onClose={done} />}
    </>
  );
}

function AccountRow({ of: account, onOpen }: { readonly of: AccountSummary; readonly onOpen: (open: Open) => void }) {
  const { account_id, name, plan, status, status_reason, created_at, keys, last_used_at, identities, quotas } = account;
  const isOwn = account_id === session.value?.account.id;
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {name} <Badge>{t.plans[plan]}</Badge> {status !== 'active' && <Badge tone="bad">{t.accounts[status]}</Badge>}{' '}
          {isOwn && <Badge tone="accent">{t.accounts.own}</Badge>}
        </span>
        <code class="row-code">{account_id}</code>
        {status_reason !== null && <span class="row-about">{fill(t.accounts.reason, { reason: status_reason })}</span>}
        {identities.map(({ issuer, subject }) => (
          <span key={`${issuer} ${subject}`} class="row-about">
            {fill(t.accounts.identity, { subject, issuer })}
          </span>
        ))}
        {quotas.map(({ name: quota, used, limit }) => (
          <span key={quota} class="row-about">
            {fill(t.quotas[quota], { used, limit })}
          </span>
        ))}
      </div>
      <dl class="facts">
        <div>
          <dt>{t.accounts.created}</dt>
          <dd title={formatDateTime(created_at)}>{formatAgo(created_at)}</dd>
        </div>
        <div>
          <dt>{t.accounts.used}</dt>
          <dd>{last_used_at === null ? t.accounts.never : formatAgo(last_used_at)}</dd>
        </div>
        <div>
          <dt>{t.accounts.keys}</dt>
          <dd>{formatNumber(keys)}</dd>
        </div>
      </dl>
      <div class="row-actions">
        <Button
          look="quiet"
          aria-label={fill(t.accounts.changePlanOf, { name })}
          onClick={() => onOpen({ kind: 'plan', account })}
        >
          {t.accounts.changePlan}
        </Button>
        {!isOwn && (
          <Button
            look="quiet"
            aria-label={fill(t.accounts.changeStatusOf, { name })}
            onClick={() => onOpen({ kind: 'status', account })}
          >
            {t.accounts.changeStatus}
          </Button>
        )}
      </div>
    </li>
  );
}
