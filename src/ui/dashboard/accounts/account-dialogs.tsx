/** Dialogs that create an account and change the plan or the status of one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AccountRequest, AccountSummary } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/account/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { call } from '../session.ts';

type Plan = AccountRequest['plan'];
type Status = AccountSummary['status'];

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState<Plan>('starter');
  const create = async () => {
    await call('POST', '/v1/accounts', { name, plan });
    toast(fill(t.forms.created, { name: name.trim() }));
    onClose();
  };
  return (
    <FormDialog title={t.forms.createTitle} action={t.forms.createAction} onSubmit={create} onClose={onClose}>
      <NameField value={name} onChange={setName} />
      <PlanField value={plan} onChange={setPlan} />
    </FormDialog>
  );
}

interface ChangeProps {
  readonly of: AccountSummary;
  readonly onClose: () => void;
}

export function PlanDialog({ of: { account_id, name, plan: before }, onClose }: ChangeProps) {
  const [plan, setPlan] = useState<Plan>(before);
  const change = async () => {
    await call('PATCH', `/v1/accounts/${account_id}`, { plan });
    toast(fill(t.forms.changed, { name }));
    onClose();
  };
  return (
    <FormDialog
      title={fill(t.forms.planTitle, { name })}
      action={t.forms.planAction}
      onSubmit={change}
      onClose={onClose}
    >
      <PlanField value={plan} onChange={setPlan} />
    </FormDialog>
  );
}

const steps = {
  active: { action: t.forms.activate, about: t.forms.whatActive },
  suspended: { action: t.forms.suspend, about: t.forms.whatSuspended },
  banned: { action: t.forms.ban, about: t.forms.whatBanned },
} as const satisfies Record<Status, object>;

/** Says what will happen before it does. */
export function StatusDialog({ of: { account_id, name, status: before }, onClose }: ChangeProps) {
  const choices = (Object.keys(steps) as Status[]).filter((status) => status !== before);
  const [status, setStatus] = useState<Status>(choices[0]!);
  const [reason, setReason] = useState('');
  const { action, about } = steps[status];
  const change = async () => {
    const given = status === 'active' || reason.trim() === '' ? {} : { reason: reason.trim() };
    await call('PATCH', `/v1/accounts/${account_id}`, { status, ...given });
    toast(fill(t.forms.changed, { name }));
    onClose();
  };
  return (
    <FormDialog
      title={fill(t.forms.statusTitle, { name })}
      action={action}
      isDanger={status !== 'active'}
      onSubmit={change}
      onClose={onClose}
    >
      <SelectField
        label={t.accounts.status}
        hint={about}
        value={status}
        onChange={({ currentTarget }) => setStatus(currentTarget.value as Status)}
      >
        {choices.map((each) => (
          <option key={each} value={each}>
            {t.accounts[each]}
          </option>
        ))}
      </SelectField>
      {status !== 'active' && (
        <Field
          label={t.forms.reason}
          hint={t.forms.reasonHint}
          maxLength={300}
          autocomplete="off"
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}

interface ValueProps<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function NameField({ value, onChange }: ValueProps<string>) {
  return (
    <Field
      label={t.forms.name}
      hint={t.forms.nameHint}
      maxLength={100}
      required
      autocomplete="off"
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function PlanField({ value, onChange }: ValueProps<Plan>) {
  return (
    <SelectField
      label={t.forms.plan}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Plan)}
    >
      {Object.entries(t.plans).map(([plan, label]) => (
        <option key={plan} value={plan}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly isDanger?: boolean;
  /** Rejects with an Error whose message is shown. */
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog({ title, action, isDanger = false, onSubmit, onClose, children }: FormDialogProps) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    await onSubmit().catch((error: Error) => setError(describeError(error)));
    setBusy(false);
  };
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <form class="dialog-form" onSubmit={submit}>
        {children}
        {error !== undefined && (
          <p class="notice notice-bad" role="alert">
            {error}
          </p>
        )}
        <div class="dialog-foot">
          <Button disabled={isBusy} onClick={onClose}>
            {t.forms.cancel}
          </Button>
          <Button look={isDanger ? 'danger' : 'main'} type="submit" isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
