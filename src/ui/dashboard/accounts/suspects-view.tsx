/** Groups of accounts that may be one user. */
import type { SuspectList } from '../../../../protocol/index.ts';
import { t } from '../../language/account/text.ts';
import { counted } from '../../language/message.ts';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';

export function SuspectsView() {
  const loaded = useLoad(() => call<SuspectList>('GET', '/v1/accounts/suspects'), []);
  return (
    <LoadedView loaded={loaded}>
      {({ items }) => (
        <>
          <p class="page-about">{t.suspects.about}</p>
          {items.length === 0 && <EmptyState title={t.suspects.none} />}
          {items.map(({ accounts, minutes, peak, limit }) => (
            <section key={accounts.map(({ account_id }) => account_id).join()} class="card">
              <h2>{counted(t.suspects.minutes, minutes, { limit, peak })}</h2>
              <ul class="rows" aria-label={t.accounts.list}>
                {accounts.map(({ account_id, name, plan, status, calls }) => (
                  <li key={account_id} class="row">
                    <div class="row-main">
                      <span class="row-title">
                        {name} <Badge>{t.plans[plan]}</Badge>{' '}
                        {status !== 'active' && <Badge tone="bad">{t.accounts[status]}</Badge>}
                      </span>
                      <code class="row-code">{account_id}</code>
                    </div>
                    <span>{counted(t.suspects.calls, calls)}</span>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </>
      )}
    </LoadedView>
  );
}
