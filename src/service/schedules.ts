/** Schedules as an account uses them, and how the run of one begins: as a background search that counts like any other. */
import { randomBytes } from 'node:crypto';
import {
  type Schedule,
  ScheduleChange,
  type ScheduleList,
  type ScheduleRemoved,
  ScheduleRequest,
  scheduleLimits,
} from '../../protocol/index.ts';
import type { Caller } from '../access/identity.ts';
import { checkUnrestricted } from '../access/restriction.ts';
import { checkScope } from '../access/scopes.ts';
import { neverAborted } from '../base/abort.ts';
import { AppError, invalid, notFound, parse } from '../base/errors.ts';
import type { ApiName, Designs } from '../designs/designs.ts';
import type { Started } from '../runs/idempotency.ts';
import type { RunWebhook } from '../runs/records/run-records.ts';
import { nextTime } from '../schedules/cron.ts';
import type { ScheduleRecord, ScheduleRecords } from '../schedules/schedule-records.ts';
import type { BeginScheduled } from '../schedules/scheduler.ts';
import type { WebhookRecords } from '../webhooks/webhook-records.ts';
import type { BodyCall, Call, CallAccess, SearchCall } from './calls.ts';
import { createCallerCounter } from './count-caller.ts';
import type { WebhookOfRun } from './webhooks.ts';

/** Every call rejects with 403 for a key without the scope `run`, and with 404 for what the account does not have. */
export interface ScheduleCalls {
  list(call: Call): Promise<ScheduleList>;
  /**
   * Rejects with 422 for inputs that the API does not accept, an invalid cron expression or time zone, and with 403 beyond
   * the limit.
   */
  create(call: BodyCall): Promise<Schedule>;
  read(call: Call, schedule_id: string): Promise<Schedule>;
  change(call: BodyCall, schedule_id: string): Promise<Schedule>;
  remove(call: Call, schedule_id: string): Promise<ScheduleRemoved>;
}

export interface ScheduleParts {
  readonly access: Pick<CallAccess, 'identify' | 'takeFrom'>;
  readonly records: ScheduleRecords;
  readonly designs: Pick<Designs, 'buildRun'>;
  readonly webhookOfRun: WebhookOfRun;
}

/** The calls of schedules. */
export function createScheduleCalls({ access, records, designs, webhookOfRun }: ScheduleParts): ScheduleCalls {
  const countCaller = createCallerCounter(access, (caller) => {
    checkScope(caller, 'run');
    checkUnrestricted(caller, 'use the schedules of the account');
  });

  async function find({ account_id }: Caller, id: string): Promise<ScheduleRecord> {
    const schedule = await records.get(account_id, id);
    if (schedule === undefined) throw notFound('schedule', id);
    return schedule;
  }

  return {
    async list(call) {
      const { account_id } = await countCaller(call, 'reads');
      return { items: (await records.list(account_id)).map(show) };
    },

    async create(call) {
      const caller = await countCaller(call, 'writes');
      const { account_id, key_id } = caller;
      const { webhook, inputs, version, ...given } = parse(ScheduleRequest, await call.body());
      const inputText = textOf(inputs);
      await designs.buildRun(account_id, nameOf({ ...given, version }), inputs, ['body', 'inputs']);
      const next_at = nextAt(given.cron, given.time_zone);
      const stored = webhook && (await webhookOfRun(caller, webhook));
      const nothing = {
        disabled_at: null,
        disabled_reason: null,
        last_at: null,
        last_search_id: null,
        last_error: null,
      };
      const schedule: ScheduleRecord = {
        id: `sch_${randomBytes(12).toString('base64url')}`,
        account_id,
        key_id,
        ...given,
        version: version === undefined ? null : String(version),
        inputs: inputText,
        webhook: stored === undefined ? null : JSON.stringify(stored),
        created_at: new Date().toISOString(),
        next_at,
        ...nothing,
      };
      if (!(await records.add(schedule, scheduleLimits.per_account))) {
        const message = `An account has at most ${scheduleLimits.per_account} schedules; remove one that is not used.`;
        throw new AppError('forbidden', message);
      }
      return show(schedule);
    },

    read: async (call, schedule_id) => show(await find(await countCaller(call, 'reads'), schedule_id)),

    async change(call, schedule_id) {
      const caller = await countCaller(call, 'writes');
      const { inputs, cron, time_zone, name, enabled } = parse(ScheduleChange, await call.body());
      const before = await find(caller, schedule_id);
      if (inputs !== undefined) {
        await designs.buildRun(caller.account_id, nameOf(before), inputs, ['body', 'inputs']);
      }
      const wasDisabled = before.disabled_at !== null;
      const isMoved = cron !== undefined || time_zone !== undefined || (enabled === true && wasDisabled);
      const due = nextAt(cron ?? before.cron, time_zone ?? before.time_zone);
      const disabled_at = before.disabled_at ?? new Date().toISOString();
      // Only what was asked for: something else may have been changed, or the schedule disabled, since it was read.
      const changed = await records.change(caller.account_id, schedule_id, {
        ...(name === undefined ? {} : { name }),
        ...(inputs === undefined ? {} : { inputs: textOf(inputs) }),
        ...(cron === undefined ? {} : { cron }),
        ...(time_zone === undefined ? {} : { time_zone }),
        ...(isMoved ? { next_at: due } : {}),
        // The key that made it may have been revoked.
        ...(enabled === true ? { key_id: caller.key_id } : {}),
        ...(enabled === true && wasDisabled ? { disabled_at: null, disabled_reason: null } : {}),
        ...(enabled === false
          ? { disabled_at, disabled_reason: before.disabled_reason ?? 'Disabled by the account.', next_at: null }
          : {}),
      });
      if (changed === undefined) throw notFound('schedule', schedule_id);
      return show(changed);
    },

    async remove(call, schedule_id) {
      const { account_id } = await countCaller(call, 'writes');
      if (!(await records.remove(account_id, schedule_id))) throw notFound('schedule', schedule_id);
      return { schedule_id, deleted: true };
    },
  };
}

/**
 * How a scheduled run begins: by `search`, under an idempotency key, so that a time is never run twice. It begins also where its
 * webhook is disabled now: what is not sent is then among the deliveries, as for a search that was running before. Where it was
 * removed, nothing is sent.
 */
export function createBeginScheduled(parts: {
  readonly access: Pick<CallAccess, 'identify'>;
  readonly search: (call: SearchCall) => Promise<Started>;
  readonly endpoints: WebhookRecords['endpoints'];
}): BeginScheduled {
  const { access, search, endpoints } = parts;

  /** An enabled one of the endpoints with the URL, else that of the schedule; none if it was removed. */
  async function receiverOf(account_id: string, stored: RunWebhook): Promise<RunWebhook | undefined> {
    const { endpoint_id, url } = stored;
    if (endpoint_id === null) return stored;
    const same = (await endpoints(account_id)).filter((each) => each.url === url);
    const found = same.find(({ disabled_at }) => disabled_at === null) ?? same.find(({ id }) => id === endpoint_id);
    return found && { endpoint_id: found.id, url, secret: null };
  }

  return async (schedule) => {
    const { id, account_id, key_id, next_at, inputs, webhook } = schedule;
    // Looked up again at each run: its plan may have changed, or it may no longer call at all.
    const from = await access.identify({ account_id, key_id, plan: 'starter', scopes: [] });
    const { run } = await search({
      request_id: `${id}-${next_at}`,
      from,
      signal: neverAborted,
      onCharged: () => {},
      api: () => nameOf(schedule),
      body: async () => JSON.parse(inputs),
      background: () => true,
      sentTo: webhook === null ? undefined : await receiverOf(account_id, JSON.parse(webhook)),
      channel: 'schedule',
      streamed: false,
      on_disconnect: 'continue',
      idempotency_key: `${id} ${next_at}`,
    });
    return run.search_id;
  };
}

/** Inputs are stored with each schedule. Throws a 422 for very long ones. */
function textOf(inputs: unknown): string {
  const text = JSON.stringify(inputs);
  const max = scheduleLimits.input_characters;
  if (text.length <= max) return text;
  throw invalid(['body', 'inputs'], `expected at most ${max} characters as JSON; got ${text.length}`, 'too_long');
}

/** Throws a 422 for a line that is invalid or never due. */
function nextAt(cron: string, time_zone: string): string {
  let next: number | undefined;
  try {
    next = nextTime(cron, time_zone, Date.now());
  } catch (error) {
    const { message } = error as Error;
    throw invalid(['body', message.includes('time zone') ? 'time_zone' : 'cron'], message, 'value_error');
  }
  if (next !== undefined) return new Date(next).toISOString();
  throw invalid(
    ['body', 'cron'],
    'expected a cron expression that matches at some time; got one that never does',
    'value_error',
  );
}

function nameOf({ api_stub, version }: { api_stub: string; version?: string | number | null | undefined }): ApiName {
  return version == null ? { api_stub } : { api_stub, version: versionOf(String(version)) };
}

function versionOf(text: string): number | 'newest' | 'draft' {
  return /^-?\d+$/.test(text) ? Number(text) : (text as 'newest' | 'draft');
}

function show(schedule: ScheduleRecord): Schedule {
  const { id, account_id: _, key_id: _key, version, inputs, webhook, ...rest } = schedule;
  const url = webhook === null ? null : (JSON.parse(webhook) as RunWebhook).url;
  const shown = version === null ? null : versionOf(version);
  return { schedule_id: id, ...rest, version: shown, inputs: JSON.parse(inputs) as unknown, webhook_url: url };
}
