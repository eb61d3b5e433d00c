/** The accounts of the server, for administrators: who they are, what they used, and what can be changed. */
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t } from '../../language/account/text.ts';
import { PageHead } from '../page-head.tsx';
import { CreateDialog } from './account-dialogs.tsx';
import { AccountList } from './account-list.tsx';
import { InvitationsView } from './invitations-view.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { SuspectsView } from './suspects-view.tsx';
import './accounts.css';

const views = { list: t.accounts.list, invitations: t.accounts.invitations, suspects: t.accounts.suspects } as const;

export function AccountsPage() {
  const [view, setView] = useState<keyof typeof views>('list');
  const [open, setOpen] = useState<'create' | 'invite'>();
  /** What is shown is loaded again after each change. */
  const [round, setRound] = useState(0);
  const done = () => {
    setOpen(undefined);
    setRound(round + 1);
  };
  return (
    <>
      <PageHead title={t.accounts.title} about={t.accounts.about}>
        <Button onClick={() => setOpen('create')}>{t.accounts.create}</Button>
        <Button look="main" onClick={() => setOpen('invite')}>
          {t.accounts.invite}
        </Button>
      </PageHead>
      <Tabs label={t.accounts.views} tabs={views} chosen={view} onChoose={setView}>
        <div class="accounts">
          {view === 'list' && <AccountList key={round} />}
          {view === 'invitations' && <InvitationsView key={round} />}
          {view === 'suspects' && <SuspectsView />}
        </div>
      </Tabs>
      {open === 'create' && <CreateDialog onClose={done} />}
      {open === 'invite' && <InviteDialog onClose={done} />}
    </>
  );
}
