/** The dashboard page: usage, searches, keys and designs of the signed-in account, and the marketplace. */
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import '../components/index.css';
import './dashboard.css';
import { SessionUnread } from '../account/session-unread.tsx';
import { unreadSession } from '../account/signed-in.ts';
import { Button } from '../components/button.tsx';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import { Toasts, toast } from '../components/toast.tsx';
import { TopBar } from '../components/top-bar.tsx';
import { ApiPage } from '../designer/api-page.tsx';
import { ApisPage } from '../designer/apis-page.tsx';
import { DesignerPage, NewDesignPage } from '../designer/designer-page.tsx';
import { DesignsPage } from '../designer/designs-page.tsx';
import { t as ofAccounts } from '../language/account/text.ts';
import { t } from '../language/dashboard/text.ts';
import { describeError } from '../language/describe-error.ts';
import { LanguageMenu } from '../language/language-menu.tsx';
import { setServerTexts } from '../language/server-text.ts';
import * as serverTexts from '../language/server-translations.ts';
import { AccountsPage } from './accounts/accounts-page.tsx';
import { FeedbackPage } from './feedback/feedback-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { PageHead } from './page-head.tsx';
import { PlaygroundPage } from './playground/playground-page.tsx';
import { Link, route, visits } from './router.tsx';
import { SchedulesPage } from './schedules/schedules-page.tsx';
import { RefusalsPage } from './searches/refusals-page.tsx';
import { SearchPage } from './searches/search-page.tsx';
import { SearchesPage } from './searches/searches-page.tsx';
import { hasEnded, isHidden, resume, session, signOut } from './session.ts';
import { openedLink, SignIn, SignInAgain, takeLink, takeProblem } from './sign-in.tsx';
import { SourcesPage } from './sources/sources-page.tsx';
import { QuotaAlert } from './usage/quota-alert.tsx';
import { UsagePage } from './usage/usage-page.tsx';
import { WebhooksPage } from './webhooks/webhooks-page.tsx';

const sections = {
  '': t.shell.usage,
  '/searches': t.shell.searches,
  '/playground': t.shell.playground,
  '/sources': t.shell.sources,
  '/feedback': t.shell.feedback,
  '/keys': t.shell.keys,
  '/designs': t.shell.designs,
  '/schedules': t.shell.schedules,
  '/webhooks': t.shell.webhooks,
  '/apis': t.shell.marketplace,
} as const;

interface DashboardProps {
  readonly problem: string | undefined;
}

function Dashboard({ problem }: DashboardProps) {
  const signedIn = session.value;
  const link = openedLink.value;
  const isSigningIn = signedIn === null || route.value === '/sign-in';
  const isFirst = useRef(true);
  useEffect(() => {
    // Tells screen readers that the page has changed.
    if (!isSigningIn || !isFirst.current) document.getElementById('main')?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [route.value, isSigningIn]);
  if (signedIn === undefined) return null;
  return (
    <div class="shell">
      <TopBar skip={t.shell.skip}>
        {signedIn && !isHidden.value && <span class="top-account">{signedIn.account.name}</span>}
        <LanguageMenu />
        <ThemeSwitch />
        {signedIn && (
          <Button look="quiet" onClick={() => void signOut().catch((error) => toast(describeError(error)))}>
            {t.shell.signOut}
          </Button>
        )}
      </TopBar>
      {isSigningIn || !signedIn ? (
        <main id="main" class="main-narrow" tabIndex={-1}>
          {unreadSession.value !== undefined && link === undefined ? (
            <>
              <PageHead title={t.shell.label} />
              <SessionUnread onRetry={resume} />
            </>
          ) : (
            <SignIn key={link} link={link} problem={problem} />
          )}
        </main>
      ) : (
        <>
          {!isHidden.value && <Sections />}
          <main id="main" class="main" tabIndex={-1} hidden={isHidden.value}>
            <QuotaAlert />
            <Page />
          </main>
        </>
      )}
      {signedIn && hasEnded.value && <SignInAgain />}
      <Toasts />
    </div>
  );
}

/** What only administrators have. */
function ofAdministrators(): [string, string][] {
  return session.value?.administers ? [['/accounts', ofAccounts.accounts.title]] : [];
}

function Sections() {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow screens the links are in a row, and the current one may be scrolled out of view.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [route.value]);
  return (
    <nav class="sections" aria-label={t.shell.label} ref={nav}>
      {[...Object.entries(sections), ...ofAdministrators()].map(([to, title]) => {
        const isHere = to === '' ? route.value === '' : route.value.startsWith(to);
        return (
          <Link key={to} to={to} class="section-link" aria-current={isHere ? 'page' : undefined}>
            {title}
          </Link>
        );
      })}
      <a class="section-link" href="/">
        {t.shell.chat}
      </a>
    </nav>
  );
}

function Page() {
  const [, section = '', id] = route.value.split('/');
  if (section === '') return <UsagePage />;
  if (section === 'accounts' && session.value?.administers) return <AccountsPage />;
  if (section === 'feedback') return <FeedbackPage />;
  if (section === 'playground') return <PlaygroundPage />;
  if (section === 'keys') return <KeysPage />;
  if (section === 'schedules') return <SchedulesPage />;
  if (section === 'sources') return <SourcesPage />;
  if (section === 'webhooks') return <WebhooksPage />;
  if (section === 'searches' && id === 'refused') return <RefusalsPage />;
  if (section === 'searches')
    return id === undefined ? <SearchesPage key={visits.value} /> : <SearchPage key={id} id={id} />;
  if (section === 'designs') {
    if (id === undefined) return <DesignsPage />;
    return id === 'new' ? <NewDesignPage /> : <DesignerPage key={id} id={id} />;
  }
  if (section === 'apis') return id === undefined ? <ApisPage /> : <ApiPage key={id} stub={id} />;
  return <PageHead title={t.shell.notFound} about={<Link to="">{t.shell.firstPage}</Link>} />;
}

const problem = takeProblem();
takeLink();
setServerTexts(serverTexts);
await resume();
render(<Dashboard problem={problem} />, document.body);
