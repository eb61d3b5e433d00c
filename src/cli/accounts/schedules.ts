/**
 * `citewire schedules`: works directly on the store, whether or not a server is running. Each command resolves with its exit
 * code.
 */
import type { Schedule } from '../../../protocol/index.ts';
import type { Config } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import { readJsonFile } from '../given-file.ts';
import { printRow } from '../print-row.ts';
import { type OfAccount, withAccountCalls } from './with-account-calls.ts';

interface NewSchedule extends OfAccount {
  readonly timeZone?: string;
  /** A JSON file. */
  readonly inputs?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  /** The URL of an endpoint of the account. */
  readonly webhook?: string;
}

/** Prints the id of the new schedule, and to standard error when it runs first. Throws `validation_error` for what is invalid. */
export function addSchedule(api_stub: string, cron: string, options: NewSchedule, config: Config): Promise<number> {
  return withAccountCalls(options, config, async ({ schedules, call }) => {
    const { timeZone, inputs, apiVersion, name, webhook } = options;
    const body = {
      api_stub,
      cron,
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
      ...(inputs === undefined ? {} : { inputs: await readJsonFile(inputs) }),
      ...(apiVersion === undefined ? {} : { version: /^\d+$/.test(apiVersion) ? Number(apiVersion) : apiVersion }),
      ...(name === undefined ? {} : { name }),
      ...(webhook === undefined ? {} : { webhook: { url: webhook } }),
    };
    const { schedule_id, next_at } = await schedules.create({ ...call, body: async () => body }).catch(explainWebhook);
    process.stderr.write(`First run: ${next_at}\n`);
    process.stdout.write(`${schedule_id}\n`);
  });
}

/** A secret has no option, so the webhook has to be one of the account. */
function explainWebhook(error: unknown): never {
  const { issues = [] } = error instanceof AppError ? error.details : {};
  if (!issues.some(({ loc }) => loc.join('.') === 'body.webhook.secret')) throw error;
  const message = 'webhook: expected the URL of an enabled webhook of this account; `citewire webhooks add` adds one';
  throw new AppError('validation_error', message);
}

/** Prints one tab-separated line per schedule: id, API, cron expression, time zone, next run, last search and what went wrong. */
export function listSchedules(options: OfAccount, config: Config): Promise<number> {
  return withAccountCalls(options, config, async ({ schedules, call }) => {
    for (const schedule of (await schedules.list(call)).items) {
      printRow(lineOf(schedule));
    }
  });
}

/** Enables or disables a schedule. Throws `not_found` when there is no such schedule. */
export function setSchedule(id: string, enabled: boolean, options: OfAccount, config: Config): Promise<number> {
  return withAccountCalls(options, config, async ({ schedules, call }) => {
    const { next_at } = await schedules.change({ ...call, body: async () => ({ enabled }) }, id);
    process.stderr.write(next_at === null ? `Schedule ${id} disabled.\n` : `Next run: ${next_at}\n`);
  });
}

/** Throws `not_found` when there is no such schedule. */
export function removeSchedule(id: string, options: OfAccount, config: Config): Promise<number> {
  return withAccountCalls(options, config, async ({ schedules, call }) => {
    await schedules.remove(call, id);
    process.stderr.write(`Schedule ${id} removed.\n`);
  });
}

function lineOf(schedule: Schedule): string[] {
  const { schedule_id, api_stub, version, cron, time_zone, next_at, disabled_reason, last_search_id, last_error } =
    schedule;
  const api = version === null ? api_stub : `${api_stub} ${version}`;
  const next = next_at === null ? `disabled: ${disabled_reason ?? ''}` : `next ${next_at}`;
  return [schedule_id, api, cron, time_zone, next, last_search_id ?? 'never ran', last_error ?? ''];
}
