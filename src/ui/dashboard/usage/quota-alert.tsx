/** Above every page of the dashboard: which quotas are nearly or entirely used up; empty without quotas. */
import type { AccountUsage, Quota } from '../../../../protocol/index.ts';
import { formatDateTime, formatShare } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { fill } from '../../language/message.ts';
import { call } from '../session.ts';
import { useLoad, useRefresh } from '../use-load.ts';

/** The share of a quota from which the alert is shown; set by hand. */
const alertShare = 0.8;
const refreshMs = 60_000;

export function QuotaAlert() {
  const usage = useLoad(() => call<AccountUsage>('GET', '/v1/account/usage?minutes=1'), []);
  useRefresh(usage, refreshMs);
  const quotas = (usage.data?.quotas ?? []).filter(({ used, limit }) => used >= alertShare * limit);
  // Always there, so that screen readers announce what appears in it.
  return (
    <div role="status">
      {quotas.map((quota) => (
        <p key={quota.name} class={quota.used >= quota.limit ? 'notice notice-bad' : 'notice'}>
          {sentenceOf(quota)}
        </p>
      ))}
    </div>
  );
}

function sentenceOf({ name, used, limit, resets_at }: Quota): string {
  const about = { name: t.quotas[name], at: formatDateTime(resets_at) };
  if (used >= limit) return fill(t.quotas.alertFull, about);
  return fill(t.quotas.alert, { ...about, share: formatShare(used / limit) });
}
