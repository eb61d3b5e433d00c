/**
 * Another account has signed in while a page was open: in another tab, or over what the page shows, which belongs to the account
 * before. The page is loaded again for the one that is signed in now, and then says so.
 */
import type { BrowserSession } from '../../../protocol/index.ts';
import { toast } from '../components/toast.tsx';
import { fill } from '../language/message.ts';
import { t } from '../language/text.ts';

const storageKey = 'citewire.other-account';

let isLeft = false;

/** Whether the page is being left for another account: nothing on it is worth asking about. */
export function isLeftForAccount(): boolean {
  return isLeft;
}

/** Loads the page again at the same address. */
export function reloadForAccount(): void {
  isLeft = true;
  location.reload();
}

/** Loads the page again, without what its address names of the account before. */
export function leaveForAccount({ name }: BrowserSession['account']): void {
  try {
    sessionStorage.setItem(storageKey, name);
  } catch {
    // Browsers can block storage: it is then not said.
  }
  isLeft = true;
  location.replace(location.pathname.startsWith('/dashboard') ? '/dashboard' : '/');
}

/** Says so on the page that was loaded again, once somebody looks at it. */
export function sayOtherAccount(): void {
  let name: string | null = null;
  try {
    name = sessionStorage.getItem(storageKey);
    sessionStorage.removeItem(storageKey);
  } catch {
    // As above.
  }
  if (name === null) return;
  const text = fill(t.signIn.otherAccount, { name });
  if (!document.hidden) return toast(text);
  addEventListener('visibilitychange', () => toast(text), { once: true });
}
