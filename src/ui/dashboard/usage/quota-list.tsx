/** The quotas of the plan, each with a bar of what is used, and what the tokens cost. */
import type { AccountUsage, Cost, Quota } from '../../../../protocol/index.ts';
import { formatDateTime, formatMoney, formatShare } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { fill } from '../../language/message.ts';
import './quota-list.css';

/** Nothing on a server with neither. */
export function QuotaList({ usage: { quotas = [], cost } }: { readonly usage: AccountUsage }) {
  if (quotas.length === 0 && cost === undefined) return null;
  return (
    <section class="card" aria-labelledby="quotas">
      <h2 id="quotas">{quotas.length === 0 ? t.quotas.cost : t.quotas.title}</h2>
      {quotas.length > 0 && (
        <ul class="quotas">
          {quotas.map((quota) => (
            <QuotaBar key={quota.name} of={quota} />
          ))}
        </ul>
      )}
      {cost !== undefined && <CostLine of={cost} />}
    </section>
  );
}

function QuotaBar({ of: { name, limit, used, resets_at } }: { readonly of: Quota }) {
  const share = Math.min(1, used / limit);
  const label = t.quotas[name];
  return (
    <li class="quota">
      <span class="quota-head">
        <span>{label}</span>
        <span class="quota-count">{fill(t.quotas.used, { used, limit })}</span>
      </span>
      <meter class={share === 1 ? 'quota-meter quota-full' : 'quota-meter'} value={share} aria-label={label}>
        {formatShare(share)}
      </meter>
      <span class="quota-about">
        {fill(share === 1 ? t.quotas.usedUp : t.quotas.resets, { at: formatDateTime(resets_at) })}
      </span>
    </li>
  );
}

function CostLine({ of: { currency, today, month } }: { readonly of: Cost }) {
  return (
    <p class="page-about">
      {fill(t.quotas.costs, { today: formatMoney(today, currency), month: formatMoney(month, currency) })}
    </p>
  );
}
