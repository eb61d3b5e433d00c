/** The first page: the plan, its usage in total and by key, and the latest searches. */
import { useEffect, useState } from 'preact/hooks';
import type { AccountUsage, ApiKeyList, SearchList, UsageCounts } from '../../../../protocol/index.ts';
import { formatNumber, formatShortNumber } from '../../components/format.ts';
import { CopyText } from '../copy-text.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { Link } from '../router.tsx';
import { ScrollRegion } from '../scroll-region.tsx';
import { SearchRows } from '../searches/search-rows.tsx';
import { SegmentedControl } from '../segmented-control.tsx';
import { call, session } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { BarChart } from './bar-chart.tsx';
import { QuotaList } from './quota-list.tsx';
import { barsOf, type Measure, measures, minutesOf, partNames, type Range, ranges, totalOf } from './usage-series.ts';

const refreshMs = 20_000;

export function UsagePage() {
  const [range, setRange] = useState<Range>('hour');
  const [measure, setMeasure] = useState<Measure>('calls');
  const [keyId, setKeyId] = useState('');
  const keys = useLoad(() => call<ApiKeyList>('GET', '/v1/keys'), []);
  const usage = useLoad(() => {
    const query = new URLSearchParams({ minutes: String(minutesOf(range)) });
    if (keyId !== '') query.set('key_id', keyId);
    return call<AccountUsage>('GET', `/v1/account/usage?${query}`);
  }, [range, keyId]);
  const latest = useLoad(() => call<SearchList>('GET', '/v1/search?limit=5'), []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') usage.reload();
    }, refreshMs);
    return () => clearInterval(timer);
  }, []);
  const nameOf = (id: string) =>
    id === 'browser' ? 'Browsers' : (keys.data?.items.find(({ key_id }) => key_id === id)?.name ?? id);

  return (
    <>
      <PageHead title="Usage" about={<PlanSummary usage={usage.data} />} />
      <LoadedView loaded={usage}>
        {(data) => (
          <>
            <Tiles usage={data} />
            <QuotaList usage={data} />
            <section class="card" aria-label="Usage over time">
              <div class="chart-controls">
                <SegmentedControl label="Time" choices={ranges} chosen={range} onChoose={setRange} />
                <SegmentedControl
                  label="Show"
                  choices={{ calls: 'Calls', work: 'Searches', tokens: 'Tokens' }}
                  chosen={measure}
                  onChoose={setMeasure}
                />
                <label class="chart-key">
                  <span class="visually-hidden">Key</span>
                  <select class="input" value={keyId} onChange={(event) => setKeyId(event.currentTarget.value)}>
                    <option value="">All keys</option>
                    <option value="browser">Browsers</option>
                    {keys.data?.items.map(({ key_id, name }) => (
                      <option key={key_id} value={key_id}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              <BarChart
                title={`${measures[measure].title}, ${ranges[range].toLowerCase()}`}
                parts={measures[measure].parts.map((part) => partNames[part])}
                bars={barsOf(data, range, measure)}
              />
            </section>
            {data.keys.length > 0 && (
              <section>
                <h2>By key, last 31 days</h2>
                <KeyTable keys={data.keys} nameOf={nameOf} />
              </section>
            )}
          </>
        )}
      </LoadedView>
      <section>
        <div class="section-head">
          <h2>Latest searches</h2>
          <Link to="/searches">All searches</Link>
        </div>
        <LoadedView loaded={latest}>
          {({ items }) =>
            items.length > 0 ? (
              <SearchRows items={items} />
            ) : (
              <EmptyState title="No searches yet">
                <p>
                  Ask a question in the <a href="/">chat</a> or from a program:
                </p>
                <CopyText
                  what="command"
                  text={`curl -s ${location.origin}/v1/search -H 'X-API-Key: <API_KEY>' -H 'Content-Type: application/json' -d '{"prompt": "How do I check a citation?"}'`}
                />
              </EmptyState>
            )
          }
        </LoadedView>
      </section>
    </>
  );
}

function PlanSummary({ usage }: { readonly usage: AccountUsage | undefined }) {
  const plan = usage?.plan ?? session.value?.account.plan;
  const limit = usage === undefined ? '' : `: ${usage.limit} calls per ${usage.window_s} seconds per key`;
  return (
    <>
      Plan <strong class="plan">{plan}</strong>
      {limit}.
    </>
  );
}

function Tiles({ usage }: { readonly usage: AccountUsage }) {
  const today = new Date().toISOString().slice(0, 10);
  const now = totalOf(usage.days.filter(({ day }) => day === today));
  const month = totalOf(usage.days);
  return (
    <dl class="tiles">
      <Tile name="Calls today" value={now.calls} about={`${formatNumber(month.calls)} in 31 days`} />
      <Tile name="Refused today" value={now.refused} about={`${formatNumber(month.refused)} in 31 days`} />
      <Tile name="Searches today" value={now.searches} about={`${formatNumber(month.searches)} in 31 days`} />
      <Tile
        name="Tokens today"
        value={now.input_tokens + now.output_tokens}
        about={`${formatShortNumber(month.input_tokens)} in, ${formatShortNumber(month.output_tokens)} out in 31 days`}
      />
    </dl>
  );
}

function Tile({ name, value, about }: { readonly name: string; readonly value: number; readonly about: string }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd class="tile-value">{formatShortNumber(value)}</dd>
      <dd class="tile-about">{about}</dd>
    </div>
  );
}

interface KeyTableProps {
  readonly keys: readonly (UsageCounts & { readonly key_id: string })[];
  readonly nameOf: (id: string) => string;
}

function KeyTable({ keys, nameOf }: KeyTableProps) {
  const columns = Object.keys(partNames) as (keyof UsageCounts)[];
  const sorted = [...keys].sort((a, b) => b.calls - a.calls);
  return (
    <ScrollRegion label="Usage by key">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            {columns.map((column) => (
              <th key={column} scope="col" class="number">
                {partNames[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row.key_id}>
              <th scope="row">{nameOf(row.key_id)}</th>
              {columns.map((column) => (
                <td key={column} class="number">
                  {formatNumber(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
