/** The invitations, without their links: open ones can be revoked. */
import { useState } from 'preact/hooks';
import type { Invitation, InvitationList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatAgo, formatDateTime } from '../../components/format.ts';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/account/text.ts';
import { fill } from '../../language/message.ts';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';

export function InvitationsView() {
  const loaded = useLoad(() => call<InvitationList>('GET', '/v1/accounts/invitations'), []);
  const [revoking, setRevoking] = useState<Invitation>();
  const close = () => setRevoking(undefined);
  const revoke = async () => {
    await call('DELETE', `/v1/accounts/invitations/${revoking?.invitation_id}`);
    toast(t.invite.revoked);
    close();
    loaded.reload();
  };
  return (
    <LoadedView loaded={loaded}>
      {({ items }) => (
        <>
          {items.length === 0 && <EmptyState title={t.invite.none} />}
          {items.length > 0 && (
            <ul class="rows" aria-label={t.accounts.invitations}>
              {items.map((invitation) => (
                <InvitationRow key={invitation.invitation_id} of={invitation} onRevoke={setRevoking} />
              ))}
            </ul>
          )}
          {revoking !== undefined && (
            <ConfirmDialog
              title={fill(t.invite.revokeTitle, { name: revoking.name })}
              action={t.invite.revokeAction}
              onConfirm={revoke}
              onClose={close}
            >
              {t.invite.revokeAbout}
            </ConfirmDialog>
          )}
        </>
      )}
    </LoadedView>
  );
}

interface RowProps {
  readonly of: Invitation;
  readonly onRevoke: (invitation: Invitation) => void;
}

function InvitationRow({ of: invitation, onRevoke }: RowProps) {
  const { name, plan, expires_at, accepted_at, account_id } = invitation;
  const isOpen = accepted_at === null && Date.parse(expires_at) > Date.now();
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {name} <Badge>{t.plans[plan]}</Badge>
        </span>
        <span class="row-about">{stateOf(invitation, isOpen)}</span>
        {account_id !== null && <code class="row-code">{account_id}</code>}
      </div>
      {isOpen && (
        <div class="row-actions">
          <Button look="quiet" aria-label={fill(t.invite.revokeOf, { name })} onClick={() => onRevoke(invitation)}>
            {t.invite.revoke}
          </Button>
        </div>
      )}
    </li>
  );
}

function stateOf({ expires_at, accepted_at }: Invitation, isOpen: boolean): string {
  if (accepted_at !== null) return fill(t.invite.accepted, { time: formatAgo(accepted_at) });
  return isOpen
    ? fill(t.invite.open, { time: formatDateTime(expires_at) })
    : fill(t.invite.expired, { time: formatAgo(expires_at) });
}
