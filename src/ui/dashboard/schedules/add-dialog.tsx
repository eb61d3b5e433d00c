/** A dialog to add a schedule: an API, its inputs, when it runs, and where its answers are sent. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  DesignInput,
  DesignList,
  DesignRecord,
  PublishedApi,
  PublishedList,
  Schedule,
  ValidationError,
  WebhookEndpointList,
} from '../../../../protocol/index.ts';
import type { CitewireError } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { issueOf } from '../../designer/design-form.ts';
import { type Inputs, presetsOf, type RawValues, readValues } from '../../designer/input-values.ts';
import { InputsForm } from '../../designer/inputs-form.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { loadAll } from '../load-all.ts';
import { LoadedView } from '../loaded-view.tsx';
import { call, mayUse } from '../session.ts';
import { useLoad } from '../use-load.ts';

interface Choice {
  readonly api_stub: string;
  readonly name: string;
  /** Of the account's own. */
  readonly api_id?: string;
}

interface Choices {
  readonly own: readonly Choice[];
  readonly published: readonly Choice[];
  readonly webhooks: WebhookEndpointList['items'];
}

/**
 * The account's own design hides a published API with the same stub, as in a run. A key that may run APIs need not be one that may read
 * designs or webhooks: without those, a schedule can still be added.
 */
async function loadChoices(): Promise<Choices> {
  const [designs, apis, webhooks] = await Promise.all([
    mayUse('design') ? loadAll<DesignList['items'][number]>('/v1/design-api?limit=100') : [],
    loadAll<PublishedList['items'][number]>('/v1/published-service?limit=100'),
    mayUse('webhooks') ? call<WebhookEndpointList>('GET', '/v1/webhooks') : { items: [] },
  ]);
  const own = new Set(designs.map(({ api_stub }) => api_stub));
  const published = apis.filter(({ api_stub }) => !own.has(api_stub));
  return { own: designs, published, webhooks: webhooks.items.filter(({ disabled_at }) => disabled_at === null) };
}

async function loadInputs({ api_id, api_stub }: Choice): Promise<Record<string, DesignInput>> {
  const path = api_id === undefined ? `/v1/published-service/${api_stub}` : `/v1/design-api/${api_id}`;
  return (await call<DesignRecord | PublishedApi>('GET', path)).inputs;
}

export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const choices = useLoad(loadChoices, []);
  return (
    <Dialog title={t.schedules.new} onClose={onClose}>
      <LoadedView loaded={choices}>
        {(loaded) =>
          loaded.own.length + loaded.published.length === 0 ? (
            <p>{t.schedules.noApi}</p>
          ) : (
            <Form choices={loaded} onClose={onClose} />
          )
        }
      </LoadedView>
    </Dialog>
  );
}

function Form({ choices, onClose }: { readonly choices: Choices; readonly onClose: () => void }) {
  const all = [...choices.own, ...choices.published];
  const [stub, setStub] = useState(all[0]!.api_stub);
  const [form, setForm] = useState({ name: '', cron: '0 8 * * MON', time_zone: ownTimeZone(), webhook: '' });
  const [typed, setTyped] = useState<{ readonly stub: string; readonly values: RawValues }>();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [tries, setTries] = useState(0);
  const [failure, setFailure] = useState<CitewireError>();
  const [isBusy, setBusy] = useState(false);
  const fields = useRef<HTMLFormElement>(null);
  const chosen = all.find(({ api_stub }) => api_stub === stub)!;
  const loaded = useLoad(async () => ({ stub, inputs: await loadInputs(chosen) }), [stub]);
  // Those of the API chosen before stay until the new ones come.
  const inputs = loaded.data?.stub === stub ? loaded.data.inputs : undefined;
  const raw = typed?.stub === stub ? typed.values : presetsOf(inputs ?? {});
  const choose = (next: string) => {
    setStub(next);
    setErrors({});
    setFailure(undefined);
  };
  const edit = (field: keyof typeof form) => (event: { readonly currentTarget: { readonly value: string } }) =>
    setForm({ ...form, [field]: event.currentTarget.value });
  const submit = async (event: Event) => {
    event.preventDefault();
    if (inputs === undefined) return;
    const read = readValues(inputs, raw);
    setErrors(read.errors);
    setFailure(undefined);
    setTries(tries + 1);
    if (Object.keys(read.errors).length > 0) return;
    setBusy(true);
    const { webhook, ...times } = form;
    const body = {
      ...times,
      api_stub: stub,
      inputs: read.values,
      ...(webhook === '' ? {} : { webhook: { url: webhook } }),
    };
    try {
      await call<Schedule>('POST', '/v1/schedules', body);
      toast(t.schedules.added);
      onClose();
    } catch (failure) {
      setFailure(failure as CitewireError);
    }
    setBusy(false);
  };
  const issues = failure?.issues ?? [];
  const refusedInputs = Object.fromEntries(
    Object.keys(inputs ?? {}).flatMap((name) => {
      const refused = issueOf(issues, 'inputs', name);
      return refused === undefined ? [] : [[name, refused]];
    }),
  );
  const isAtField = issues.length > 0 && issues.every((issue) => isOfField(issue, inputs ?? {}));
  useEffect(() => {
    if (failure !== undefined) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  const group = (label: string, items: readonly Choice[]) =>
    items.length > 0 && (
      <optgroup label={label}>
        {items.map(({ api_stub, name }) => (
          <option key={api_stub} value={api_stub}>
            {name} ({api_stub})
          </option>
        ))}
      </optgroup>
    );
  return (
    <form ref={fields} class="dialog-form" onSubmit={submit}>
      <SelectField
        label="API"
        value={stub}
        error={issueOf(issues, 'api_stub')}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {group(t.schedules.own, choices.own)}
        {group(t.schedules.published, choices.published)}
      </SelectField>
      <LoadedView loaded={{ ...loaded, data: inputs }}>
        {(inputs) => (
          <InputsForm
            inputs={inputs}
            values={raw}
            errors={{ ...errors, ...refusedInputs }}
            attempts={tries}
            onChange={(values) => setTyped({ stub, values })}
          />
        )}
      </LoadedView>
      <Field
        label={t.schedules.when}
        hint={t.schedules.whenHint}
        error={issueOf(issues, 'cron')}
        value={form.cron}
        maxLength={100}
        required
        autocomplete="off"
        spellcheck={false}
        onInput={edit('cron')}
      />
      <Field
        label={t.schedules.timeZone}
        hint={t.schedules.timeZoneHint}
        error={issueOf(issues, 'time_zone')}
        value={form.time_zone}
        maxLength={64}
        required
        autocomplete="off"
        spellcheck={false}
        onInput={edit('time_zone')}
      />
      {choices.webhooks.length > 0 && (
        <SelectField
          label="Webhook"
          hint={t.schedules.webhookHint}
          error={issueOf(issues, 'webhook', 'url')}
          value={form.webhook}
          onChange={edit('webhook')}
        >
          <option value="">{t.schedules.noWebhook}</option>
          {choices.webhooks.map(({ webhook_id, name, url }) => (
            <option key={webhook_id} value={url}>
              {name === '' ? url : name}
            </option>
          ))}
        </SelectField>
      )}
      <Field
        label={t.common.name}
        hint={t.common.optional}
        error={issueOf(issues, 'name')}
        value={form.name}
        maxLength={80}
        autocomplete="off"
        onInput={edit('name')}
      />
      {failure !== undefined && !isAtField && (
        <p class="notice notice-bad" role="alert">
          {describeError(failure)}
        </p>
      )}
      <div class="dialog-foot">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button look="main" type="submit" disabled={inputs === undefined} isBusy={isBusy}>
          {t.schedules.add}
        </Button>
      </div>
    </form>
  );
}

/** Whether a field of the form shows it. */
function isOfField({ loc: [, field = '', name = ''] }: ValidationError, inputs: Inputs): boolean {
  if (field === 'inputs') return Object.hasOwn(inputs, name);
  return ['api_stub', 'cron', 'name', 'time_zone', 'webhook'].includes(String(field));
}

function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
