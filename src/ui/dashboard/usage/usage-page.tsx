/** The first page: the plan, its usage in total and by key, and the latest searches. */
import { useState } from 'preact/hooks';
import type { AccountUsage, ApiKeyList, SearchList, UsageCounts } from '../../../../protocol/index.ts';
import { formatNumber, formatShortNumber } from '../../components/format.ts';
import { t as ofAccounts } from '../../language/account/text.ts';
import { t } from '../../language/dashboard/text.ts';
import { counted, fill, rich } from '../../language/message.ts';
import { CopyText } from '../copy-text.tsx';
import { EmptyState } from '../empty-state.tsx';
import { useFirstQuestion } from '../first-question.ts';
import { keyName } from '../keys/key-name.ts';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { Link } from '../router.tsx';
import { ScrollRegion } from '../scroll-region.tsx';
import { SearchRows } from '../searches/search-rows.tsx';
import { SegmentedControl } from '../segmented-control.tsx';
import { call, session } from '../session.ts';
import { useLoad, useRefresh } from '../use-load.ts';
import { BarChart } from './bar-chart.tsx';
import { firstRequest } from './first-request.ts';
import { QuotaList } from './quota-list.tsx';
import { barsOf, type Measure, measures, minutesOf, type Range, totalOf } from './usage-series.ts';

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
  useRefresh(usage, refreshMs);
  const nameOf = (id: string) => keyName(keys.data, id);

  return (
    <>
      <PageHead title={t.usage.title} about={<PlanSummary usage={usage.data} />} />
      <LoadedView loaded={usage}>
        {(data) => (
          <>
            <Tiles usage={data} />
            <QuotaList usage={data} />
            <section class="card" aria-label={t.usage.overTime}>
              <div class="chart-controls">
                <SegmentedControl label={t.usage.time} choices={t.ranges} chosen={range} onChoose={setRange} />
                <SegmentedControl
                  label={t.usage.show}
                  choices={{ calls: t.measures.calls, work: t.measures.workShort, tokens: t.measures.tokens }}
                  chosen={measure}
                  onChoose={setMeasure}
                />
                <label class="chart-key">
                  <span class="visually-hidden">{t.common.key}</span>
                  <select class="input" value={keyId} onChange={(event) => setKeyId(event.currentTarget.value)}>
                    <option value="">{t.common.allKeys}</option>
                    <option value="browser">{t.common.browsers}</option>
                    {keys.data?.items.map(({ key_id, name }) => (
                      <option key={key_id} value={key_id}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              <BarChart
                title={fill(t.usage.chart, { measure: t.measures[measure], range: t.rangesInTitle[range] })}
                parts={measures[measure].map((part) => t.counters[part])}
                bars={barsOf(data, range, measure)}
              />
            </section>
            {data.keys.length > 0 && (
              <section>
                <h2>{t.usage.byKey}</h2>
                <KeyTable keys={data.keys} nameOf={nameOf} />
              </section>
            )}
          </>
        )}
      </LoadedView>
      <section>
        <div class="section-head">
          <h2>{t.usage.latest}</h2>
          <Link to="/searches">{t.usage.all}</Link>
        </div>
        <LoadedView loaded={latest}>
          {({ items }) =>
            items.length > 0 ? (
              <SearchRows items={items} />
            ) : (
              <EmptyState title={t.usage.none}>
                <p>{rich(t.usage.ask, { chat: (words) => <a href="/">{words}</a> })}</p>
                <FirstRequest />
              </EmptyState>
            )
          }
        </LoadedView>
      </section>
    </>
  );
}

function FirstRequest() {
  const question = useFirstQuestion();
  return question === undefined ? null : <CopyText what="command" text={firstRequest(question)} />;
}

function PlanSummary({ usage }: { readonly usage: AccountUsage | undefined }) {
  const plan = usage?.plan ?? session.value?.account.plan;
  return (
    <>
      {t.usage.plan} <strong>{plan && ofAccounts.plans[plan]}</strong>
      {usage !== undefined && ` · ${counted(t.usage.limit, usage.limit, { seconds: usage.window_s })}`}
    </>
  );
}

function Tiles({ usage }: { readonly usage: AccountUsage }) {
  const today = new Date().toISOString().slice(0, 10);
  const now = totalOf(usage.days.filter(({ day }) => day === today));
  const month = totalOf(usage.days);
  return (
    <dl class="tiles">
      <Tile name={t.usage.callsToday} value={now.calls} about={fill(t.usage.inMonth, { count: month.calls })} />
      <Tile name={t.usage.refusedToday} value={now.refused} about={fill(t.usage.inMonth, { count: month.refused })} />
      <Tile
        name={t.usage.searchesToday}
        value={now.searches}
        about={fill(t.usage.inMonth, { count: month.searches })}
      />
      <Tile
        name={t.usage.tokensToday}
        value={now.input_tokens + now.output_tokens}
        about={fill(t.usage.tokensInMonth, {
          input: formatShortNumber(month.input_tokens),
          output: formatShortNumber(month.output_tokens),
        })}
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
  const columns = Object.keys(t.counters) as (keyof UsageCounts)[];
  const sorted = [...keys].sort((a, b) => b.calls - a.calls);
  return (
    <ScrollRegion label={t.usage.byKeyTable}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.common.key}</th>
            {columns.map((column) => (
              <th key={column} scope="col" class="number">
                {t.counters[column]}
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
