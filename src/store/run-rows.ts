/** Records of runs as rows of the table `runs`, and back. */
import type { Insertable, Selectable, SelectQueryBuilder } from 'kysely';
import { outcomeOf } from '../../protocol/index.ts';
import { searchedText } from '../base/text/searched-text.ts';
import type { Echoed, RecordedStep, RunFilter, RunPage, RunRecord } from '../runs/records/run-records.ts';
import { containing } from './containing.ts';
import { marked } from './marked.ts';
import { readTerminal, storeTerminal } from './stored-terminal.ts';
import type { Tables } from './tables/tables.ts';

type Row = Selectable<Tables['runs']>;

/** The columns that a list shows. */
export const listedColumns = [
  'search_id',
  'created_at',
  'ended_at',
  'state',
  'mode',
  'door',
  'channel',
  'key_id',
  'status',
  'error_code',
  'prompts',
] as const;

/** The runs that the filter selects. */
export function filtered<Selected>(
  runs: SelectQueryBuilder<Tables, 'runs', Selected>,
  { outcome, key_id, channel, since, until, words = [], mark }: RunFilter,
): SelectQueryBuilder<Tables, 'runs', Selected> {
  let found = runs;
  if (outcome === 'failed' || outcome === 'cancelled') found = found.where('state', '=', outcome);
  else if (outcome !== undefined) found = found.where('status', '=', outcome);
  if (key_id !== undefined) found = found.where('key_id', '=', key_id);
  if (channel !== undefined) found = found.where('channel', '=', channel);
  if (since !== undefined) found = found.where('ended_at', '>=', since);
  if (until !== undefined) found = found.where('ended_at', '<', until);
  for (const word of words) found = found.where(containing('words', word));
  if (mark !== undefined) found = found.where(marked('search_id', mark));
  return found;
}

/** The row of a record. */
export function toRow({
  prompts,
  terminal,
  idempotency,
  owner: _owner,
  webhook: _webhook,
  traceparent: _traceparent,
  attempt,
  channel,
  key_id,
  steps,
  echoed,
  ...record
}: RunRecord): Insertable<Tables['runs']> {
  const { status, error_code } = outcomeOf(terminal);
  return {
    ...record,
    channel: channel ?? null,
    key_id: key_id ?? null,
    status: status ?? null,
    error_code: error_code ?? null,
    words: searchedText(prompts.at(-1)),
    prompts: JSON.stringify(prompts),
    terminal: storeTerminal(terminal),
    steps: steps === undefined ? null : JSON.stringify(steps),
    echoed: echoed === undefined ? null : JSON.stringify(echoed),
    idempotency_key: idempotency?.key ?? null,
    idempotency_hash: idempotency?.hash ?? null,
    attempt: attempt ?? null,
  };
}

/** The record of a row, without what is not kept. */
export function toRecord(row: Row): RunRecord {
  const { state, prompts, terminal, idempotency_key: key, idempotency_hash: hash, attempt, ...rest } = row;
  const { status: _, error_code: _code, words: _words, channel, key_id, steps, echoed, ...record } = rest;
  return {
    ...record,
    ...known({ channel, key_id }),
    state: state as RunRecord['state'],
    prompts: JSON.parse(prompts) as string[],
    terminal: readTerminal(terminal),
    ...(steps === null ? {} : { steps: JSON.parse(steps) as RecordedStep[] }),
    ...(echoed === null ? {} : { echoed: JSON.parse(echoed) as Echoed }),
    idempotency: key === null || hash === null ? undefined : { key, hash },
    ...(attempt === null ? {} : { attempt }),
  };
}

/** An item of a list. */
export function toListed({
  state,
  prompts,
  ...row
}: Pick<Row, (typeof listedColumns)[number]>): RunPage['items'][number] {
  return { ...known(row), state: state as RunRecord['state'], prompts: JSON.parse(prompts) as string[] };
}

/** The row without the columns that are null. */
function known<Row extends object>(row: Row): { [Name in keyof Row]: NonNullable<Row[Name]> } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as never;
}
