/** The top of the chat: the threads, the brand, what can be done with the thread on the page, and the settings of the page. */
import type { Signal } from '@preact/signals';
import { signedIn } from '../account/signed-in.ts';
import { Button, IconButton } from '../components/button.tsx';
import { BrandIcon, DashboardIcon, MenuIcon, NewIcon, SignOutIcon } from '../components/icons.tsx';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import { toast } from '../components/toast.tsx';
import { describeError } from '../language/describe-error.ts';
import { LanguageMenu } from '../language/language-menu.tsx';
import { t } from '../language/text.ts';
import { thread_id } from './thread/conversation.ts';
import { startNew } from './thread/thread.ts';
import { ThreadMenu } from './thread/thread-menu.tsx';

export interface HeaderProps {
  readonly isCovered: boolean;
  /** Whether nothing has been asked on the page. */
  readonly isEmpty: boolean;
  /** Whether the list of threads is shown. */
  readonly isListOpen: Signal<boolean>;
}

export function Header({ isCovered, isEmpty, isListOpen }: HeaderProps) {
  const account = signedIn.value;
  return (
    <header class="top" inert={isCovered}>
      {account !== undefined && (
        <IconButton
          label={isListOpen.value ? t.shell.hideThreads : t.shell.showThreads}
          aria-expanded={isListOpen.value}
          onClick={() => {
            isListOpen.value = !isListOpen.value;
          }}
        >
          <MenuIcon />
        </IconButton>
      )}
      <a
        class="brand"
        href="/"
        onClick={(event) => {
          event.preventDefault();
          startNew();
        }}
      >
        <BrandIcon size={22} /> <span class={isEmpty ? '' : 'wide-only'}>Citewire</span>
      </a>
      <span class="top-space" />
      {account !== undefined && thread_id.value !== undefined && (
        <ThreadMenu client={account.client} thread_id={thread_id.value} />
      )}
      {!isEmpty && (
        <Button look="quiet" onClick={startNew}>
          <NewIcon size={16} /> <span class="wide-only">{t.shell.newThread}</span>
        </Button>
      )}
      {account !== undefined && isEmpty && (
        <a class="button button-quiet" href="/dashboard">
          <DashboardIcon size={16} /> <span class="wide-only">{t.shell.dashboard}</span>
        </a>
      )}
      <LanguageMenu />
      <ThemeSwitch />
      {account !== undefined && (
        <Button look="quiet" onClick={() => void account.signOut().then(leave, (error) => toast(describeError(error)))}>
          <SignOutIcon size={16} /> <span class="wide-only">{t.shell.signOut}</span>
        </Button>
      )}
    </header>
  );
}

function leave(): void {
  startNew();
  // The button that was pressed goes.
  document.getElementById('main')?.focus();
}
