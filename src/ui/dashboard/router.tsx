/** The router of the dashboard: paths below /dashboard, changed without loading the page again. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { isLeftForAccount } from '../account/other-account.ts';
import { setAddress } from '../chat/answer/quotes/close-on-back.ts';
import { t } from '../language/dashboard/text.ts';

/** The path after `/dashboard`: '' for the first page, otherwise `/keys`, `/searches/s_…`. */
export const route = signal(readRoute());

/** Counts the visits to pages: a link to the page that is shown begins it again. */
export const visits = signal(0);

/** Whether leaving the current page would lose edits. */
export const hasUnsavedChanges = signal(false);

/** Whether leaving the page would lose a secret that is shown once and was not copied. */
export const hasUncopied = signal(false);

addEventListener('popstate', () => {
  if (readRoute() !== route.value && !mayLeave()) history.pushState(null, '', `/dashboard${route.value}`);
  else show();
});

addEventListener('beforeunload', (event) => {
  if (isLeftForAccount()) return;
  // Somebody who has moved on to another tab is not called back for a secret.
  if (hasUnsavedChanges.value || (hasUncopied.value && !document.hidden)) event.preventDefault();
});

export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  if (!mayLeave()) return;
  setAddress(`/dashboard${to}`, how);
  show();
  scrollTo(0, 0);
}

/** The page of the address. */
function show(): void {
  route.value = readRoute();
  visits.value += 1;
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly 'aria-current'?: 'page' | undefined;
  readonly children: ComponentChildren;
}

/** A link within the dashboard; with a modifier key it opens like any other link. */
export function Link({ to, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={`/dashboard${to}`}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}

function mayLeave(): boolean {
  if (hasUncopied.value) return confirm(t.shell.uncopied);
  return !hasUnsavedChanges.value || confirm(t.shell.unsaved);
}

function readRoute(): string {
  return location.pathname.replace(/^\/dashboard\/?/, '/').replace(/\/+$/, '');
}
