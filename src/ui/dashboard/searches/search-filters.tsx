/** What selects searches, kept in the address of the page so that a selection can be linked. */
import type { ApiKeyList, SearchChannel, SearchOutcome } from '../../../../protocol/index.ts';
import { Field, SelectField } from '../../components/field.tsx';
import { t } from '../../language/dashboard/text.ts';

export interface Filters {
  readonly q: string;
  readonly outcome: SearchOutcome | '';
  readonly channel: SearchChannel | '';
  readonly key_id: string;
  readonly time: Time | '';
}

const times = t.searchTimes;
type Time = keyof typeof times;
const hours: Readonly<Record<Time, number>> = { hour: 1, day: 24, week: 7 * 24, month: 31 * 24 };

const names = ['q', 'outcome', 'channel', 'key_id', 'time'] as const;

/** Those in the address; what it has that is unknown is ignored. */
export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search);
  const choice = <Name extends string>(name: string, known: readonly Name[]) =>
    known.find((each) => each === given.get(name)) ?? '';
  return {
    q: (given.get('q') ?? '').slice(0, 200),
    outcome: choice('outcome', Object.keys(t.outcomes) as SearchOutcome[]),
    channel: choice('channel', Object.keys(t.channels) as SearchChannel[]),
    key_id: (given.get('key_id') ?? '').slice(0, 64),
    time: choice('time', Object.keys(times) as Time[]),
  };
}

/** For the address: without its `?`, empty without filters. */
export function writeFilters(filters: Filters): string {
  return new URLSearchParams(
    names.filter((name) => filters[name] !== '').map((name) => [name, filters[name]]),
  ).toString();
}

/** For `GET /v1/search`: begins with `&`, empty without filters. Times count from `now`, in ms since 1970. */
export function queryOf({ time, q, ...rest }: Filters, now: number): string {
  const query = new URLSearchParams(Object.entries(rest).filter(([, value]) => value !== ''));
  if (q.trim() !== '') query.set('q', q.trim());
  if (time !== '') query.set('since', new Date(now - hours[time] * 3_600_000).toISOString());
  return query.size === 0 ? '' : `&${query}`;
}

interface SearchFiltersProps {
  readonly filters: Filters;
  readonly keys: ApiKeyList['items'];
  readonly onChange: (change: Partial<Filters>) => void;
}

export function SearchFilters({ filters, keys, onChange }: SearchFiltersProps) {
  return (
    <search class="filters" aria-label={t.shell.searches}>
      <Field
        label={t.searches.words}
        type="search"
        value={filters.q}
        maxLength={200}
        onInput={({ currentTarget }) => onChange({ q: currentTarget.value })}
      />
      <Choice
        name="outcome"
        label={t.searches.outcome}
        all={t.searches.allOutcomes}
        choices={t.outcomeChoices}
        {...{ filters, onChange }}
      />
      <Choice
        name="channel"
        label={t.searches.channel}
        all={t.searches.allChannels}
        choices={t.channels}
        {...{ filters, onChange }}
      />
      <Choice
        name="key_id"
        label={t.common.key}
        all={t.common.allKeys}
        choices={{ browser: t.common.browsers, ...Object.fromEntries(keys.map(({ key_id, name }) => [key_id, name])) }}
        {...{ filters, onChange }}
      />
      <Choice name="time" label={t.usage.time} all={t.searches.anyTime} choices={times} {...{ filters, onChange }} />
    </search>
  );
}

interface ChoiceProps extends Pick<SearchFiltersProps, 'filters' | 'onChange'> {
  readonly name: keyof Filters;
  readonly label: string;
  readonly all: string;
  readonly choices: Readonly<Record<string, string>>;
}

function Choice({ name, label, all, choices, filters, onChange }: ChoiceProps) {
  return (
    <SelectField
      label={label}
      value={filters[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {Object.entries(choices).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
