/** The first page: the plan, what was used of it and by which key, and the last searches. */
import { useEffect, useState } from 'preact/hooks';
import type { AccountUsage, ApiKeyList, SearchList, UsageCounts } from '../../../../protocol/index.ts';
import { Link } from '../address.tsx';
import { CopyText } from '../copy.tsx';
import { useLoad } from '../load.ts';
import { Empty, LoadedView, PageHead, Wide } from '../parts.tsx';
import { SearchRows } from '../searches/search-rows.tsx';
import { Segments } from '../segments.tsx';
import { call, session } from '../session.ts';
import { numberWords, shortNumber } from '../words.ts';
import { BarChart } from './bar-chart.tsx';
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
      <PageHead title="Usage" about={<PlanWords usage={usage.data} />} />
      <LoadedView loaded={usage}>
        {(data) => (
          <>
            <Tiles usage={data} />
            <section class="card" aria-label="Usage over time">
              <div class="chart-controls">
                <Segments label="Time" choices={ranges} chosen={range} onChoose={setRange} />
                <Segments
                  label="Show"
                  choices={{ calls: 'Calls', work: 'Searches', tokens: 'Tokens' }}
                  chosen={measure}
                  onChoose={setMeasure}
                />
                <label class="chart-key">
                  <span class="aside-text">Key</span>
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
                <h2>By key, 31 days</h2>
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
              <Empty title="No searches yet">
                <p>
                  Ask in the <a href="/">chat</a>, or from a program:
                </p>
                <CopyText
                  what="the command"
                  text={`curl -s ${location.origin}/v1/search -H 'X-API-Key: <API_KEY>' -H 'Content-Type: application/json' -d '{"prompt": "How do I set a request timeout in undici?"}'`}
                />
              </Empty>
            )
          }
        </LoadedView>
      </section>
    </>
  );
}

function PlanWords({ usage }: { readonly usage: AccountUsage | undefined }) {
  const plan = usage?.plan ?? session.value?.account.plan;
  const limit = usage === undefined ? '' : `: ${usage.limit} calls in any ${usage.window_s} seconds, for each key`;
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
      <Tile name="Calls today" value={now.calls} about={`${numberWords(month.calls)} in 31 days`} />
      <Tile name="Refused today" value={now.refused} about={`${numberWords(month.refused)} in 31 days`} />
      <Tile name="Searches today" value={now.searches} about={`${numberWords(month.searches)} in 31 days`} />
      <Tile
        name="Tokens today"
        value={now.input_tokens + now.output_tokens}
        about={`${shortNumber(month.input_tokens)} in, ${shortNumber(month.output_tokens)} out in 31 days`}
      />
    </dl>
  );
}

function Tile({ name, value, about }: { readonly name: string; readonly value: number; readonly about: string }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd class="tile-value">{shortNumber(value)}</dd>
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
    <Wide label="Usage by key">
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
                  {numberWords(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
