/** Creates an invitation, whose link is shown once. */
import { useRef, useState } from 'preact/hooks';
import type { AccountRequest, NewInvitation } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { copyToClipboard } from '../../components/clipboard.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { t } from '../../language/account/text.ts';
import { counted, fill } from '../../language/message.ts';
import { t as shared } from '../../language/text.ts';
import { call } from '../session.ts';
import { FormDialog, NameField, PlanField } from './account-dialogs.tsx';

/** How many days can be chosen; set by hand. */
const choices = [1, 7, 30];

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState<AccountRequest['plan']>('starter');
  const [days, setDays] = useState(7);
  const [made, setMade] = useState<NewInvitation>();
  if (made !== undefined) return <MadeDialog of={made} onClose={onClose} />;
  return (
    <FormDialog
      title={t.invite.title}
      action={t.invite.action}
      onSubmit={async () =>
        setMade(await call<NewInvitation>('POST', '/v1/accounts/invitations', { name, plan, days }))
      }
      onClose={onClose}
    >
      <p>{t.invite.about}</p>
      <NameField value={name} onChange={setName} />
      <PlanField value={plan} onChange={setPlan} />
      <SelectField
        label={t.invite.days}
        value={days}
        onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
      >
        {choices.map((each) => (
          <option key={each} value={each}>
            {counted(t.invite.dayCount, each)}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}

function MadeDialog({ of: { name, url }, onClose }: { readonly of: NewInvitation; readonly onClose: () => void }) {
  const field = useRef<HTMLDivElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (await copyToClipboard(url, shared.copy.linkCopied)) setCopied(true);
    else field.current?.querySelector('input')?.select();
  };
  return (
    <Dialog isOnce isUncopied={!isCopied} title={fill(t.invite.ready, { name })} onClose={onClose}>
      <p>{t.invite.once}</p>
      <div ref={field} onCopy={() => setCopied(true)}>
        <Field label={t.invite.link} value={url} readOnly onFocus={(event) => event.currentTarget.select()} />
      </div>
      <div class="dialog-foot">
        <Button onClick={copy}>{t.invite.copy}</Button>
        <Button look="main" onClick={onClose}>
          {t.forms.done}
        </Button>
      </div>
    </Dialog>
  );
}
