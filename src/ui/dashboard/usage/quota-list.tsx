/** The quotas of the plan, each with a bar of what is used, and what the tokens cost. */
import type { AccountUsage, Cost, Quota } from '../../../../protocol/index.ts';
import { formatDateTime, formatMoney, formatNumber } from '../../components/format.ts';
import './quota-list.css';

const names: Record<Quota['name'], string> = {
  searches_per_day: 'Searches today',
  searches_per_month: 'Searches this month',
  tokens_per_day: 'Tokens today',
  tokens_per_month: 'Tokens this month',
};

/** Nothing on a server with neither. */
export function QuotaList({ usage: { quotas = [], cost } }: { readonly usage: AccountUsage }) {
  if (quotas.length === 0 && cost === undefined) return null;
  return (
    <section class="card" aria-labelledby="quotas">
      <h2 id="quotas">{quotas.length === 0 ? 'Cost' : 'Quotas'}</h2>
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
  const label = names[name];
  return (
    <li class="quota">
      <span class="quota-head">
        <span>{label}</span>
        <span class="quota-count">
          {formatNumber(used)} of {formatNumber(limit)}
        </span>
      </span>
      <meter class={share === 1 ? 'quota-meter quota-full' : 'quota-meter'} value={share} aria-label={label}>
        {Math.round(100 * share)} %
      </meter>
      <span class="quota-about">
        {share === 1 ? 'Used up. ' : ''}Begins again {formatDateTime(resets_at)}.
      </span>
    </li>
  );
}

function CostLine({ of: { currency, today, month } }: { readonly of: Cost }) {
  return (
    <p class="page-about">
      Tokens cost <strong>{formatMoney(today, currency)}</strong> today and{' '}
      <strong>{formatMoney(month, currency)}</strong> this month, at present prices.
    </p>
  );
}
