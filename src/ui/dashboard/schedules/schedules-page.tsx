/** The account's schedules: when each runs next, and the outcome of its last run. */
import { useState } from 'preact/hooks';
import type { Schedule, ScheduleList, SearchRecord } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatAgo, formatDateTime, formatDateTimeIn } from '../../components/format.ts';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { fill, rich } from '../../language/message.ts';
import { describeSentence } from '../../language/server-text.ts';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { Link } from '../router.tsx';
import { call } from '../session.ts';
import { useLoad, useReload } from '../use-load.ts';
import { AddDialog } from './add-dialog.tsx';

type Open = { readonly kind: 'add' } | { readonly kind: 'remove'; readonly schedule: Schedule };

/** Between two looks at which run comes next. Set by hand. */
const listMs = 30_000;

export function SchedulesPage() {
  const schedules = useLoad(() => call<ScheduleList>('GET', '/v1/schedules'), []);
  useReload(schedules, listMs);
  const [open, setOpen] = useState<Open>();
  const done = () => {
    setOpen(undefined);
    schedules.reload();
  };
  const pause = async ({ schedule_id, disabled_at }: Schedule) => {
    const enabled = disabled_at !== null;
    try {
      await call('PATCH', `/v1/schedules/${schedule_id}`, { enabled });
      toast(enabled ? t.schedules.resumed : t.schedules.pausedToast);
    } catch (error) {
      toast(describeError(error));
    }
    schedules.reload();
  };
  return (
    <>
      <PageHead title={t.shell.schedules} about={t.schedules.about}>
        <Button look="main" onClick={() => setOpen({ kind: 'add' })}>
          {t.schedules.new}
        </Button>
      </PageHead>
      <LoadedView loaded={schedules}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={t.schedules.none}>
              <p>
                {rich(t.schedules.noneText, {
                  designs: (words) => <Link to="/designs">{words}</Link>,
                  apis: (words) => <Link to="/apis">{words}</Link>,
                })}
              </p>
            </EmptyState>
          ) : (
            <ul class="rows" aria-label={t.shell.schedules}>
              {items.map((schedule) => (
                <ScheduleRow
                  key={schedule.schedule_id}
                  of={schedule}
                  onPause={pause}
                  onRemove={() => setOpen({ kind: 'remove', schedule })}
                />
              ))}
            </ul>
          )
        }
      </LoadedView>
      {open?.kind === 'add' && <AddDialog onClose={done} />}
      {open?.kind === 'remove' && <RemoveDialog of={open.schedule} onClose={done} />}
    </>
  );
}

interface RowProps {
  readonly of: Schedule;
  readonly onPause: (schedule: Schedule) => Promise<void>;
  readonly onRemove: () => void;
}

function ScheduleRow({ of: schedule, onPause, onRemove }: RowProps) {
  const { api_stub, version, cron, time_zone, webhook_url, next_at, disabled_at, disabled_reason } = schedule;
  const title = titleOf(schedule);
  const called = version === null ? api_stub : `${api_stub} ${typeof version === 'number' ? `v${version}` : version}`;
  const isOn = disabled_at === null;
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {title} {!isOn && <Badge tone="warn">{t.schedules.paused}</Badge>}
        </span>
        <span class="row-about">
          {called !== title && <code>{called}</code>}
          <code>{cron}</code>
          <span>{time_zone}</span>
        </span>
        <span class="row-about">
          {next_at !== null && <span>{fill(t.schedules.next, { at: formatDateTimeIn(next_at, time_zone) })}</span>}
          <LastRun of={schedule} />
          {disabled_reason !== null && <span>{describeSentence(disabled_reason)}</span>}
          {webhook_url !== null && <span>{fill(t.schedules.sentTo, { url: webhook_url })}</span>}
        </span>
      </div>
      <div class="row-actions">
        <Button
          look="quiet"
          aria-label={fill(isOn ? t.schedules.pauseOf : t.schedules.resumeOf, { name: title })}
          onClick={() => onPause(schedule)}
        >
          {isOn ? t.schedules.pause : t.schedules.resume}
        </Button>
        <Button look="danger" aria-label={fill(t.common.removeOf, { name: title })} onClick={onRemove}>
          {t.common.remove}
        </Button>
      </div>
    </li>
  );
}

/** While a run is in progress. */
const refreshMs = 3_000;

const tones = { running: 'accent', completed: 'good', failed: 'bad', cancelled: 'warn' } as const;

/** A run that could not begin has an error; that of one that did is the state of its search, unless that was removed. */
function LastRun({ of: { last_at, last_search_id, last_error } }: { readonly of: Schedule }) {
  const search = useLoad(
    async () => (last_search_id === null ? undefined : call<SearchRecord>('GET', `/v1/search/${last_search_id}`)),
    [last_search_id],
  );
  useReload(search, search.data?.state === 'running' ? refreshMs : undefined);
  if (last_error !== null) {
    return (
      <span>
        <Badge tone="bad">{t.schedules.notBegun}</Badge> {describeSentence(last_error)}
      </span>
    );
  }
  if (last_at === null) return <span>{t.schedules.noRun}</span>;
  const state = search.data?.state;
  const when = <span title={formatDateTime(last_at)}>{fill(t.schedules.last, { when: formatAgo(last_at) })}</span>;
  if (last_search_id === null || search.error !== undefined) return when;
  return (
    <span>
      <Link to={`/searches/${last_search_id}`}>{when}</Link>{' '}
      {state !== undefined && <Badge tone={tones[state]}>{t.states[state]}</Badge>}
    </span>
  );
}

function RemoveDialog({ of: schedule, onClose }: { readonly of: Schedule; readonly onClose: () => void }) {
  const remove = async () => {
    await call('DELETE', `/v1/schedules/${schedule.schedule_id}`);
    toast(t.schedules.removed);
    onClose();
  };
  return (
    <ConfirmDialog
      title={t.schedules.removeTitle}
      action={t.schedules.removeAction}
      onConfirm={remove}
      onClose={onClose}
    >
      {fill(t.schedules.removeText, { name: titleOf(schedule) })}
    </ConfirmDialog>
  );
}

function titleOf({ name, api_stub }: Schedule): string {
  return name === '' ? api_stub : name;
}
