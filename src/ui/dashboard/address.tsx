/** Where the page is: paths below /dashboard, changed without loading it anew. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** The path behind `/dashboard`: '' for the first page, else `/keys`, `/searches/s_…`. */
export const place = signal(read());

addEventListener('popstate', () => {
  place.value = read();
});

/** Whether leaving this place would lose what was written there. */
export const unsaved = signal(false);

addEventListener('beforeunload', (event) => {
  if (unsaved.value) event.preventDefault();
});

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (unsaved.value && !confirm('What you changed here is not saved. Leave all the same?')) return;
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', `/dashboard${to}`);
  place.value = read();
  scrollTo(0, 0);
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly 'aria-current'?: 'page' | undefined;
  readonly children: ComponentChildren;
}

/** A link within the dashboard; opened elsewhere, it is one like any other. */
export function Link({ to, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={`/dashboard${to}`}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    />
  );
}

function read(): string {
  return location.pathname.replace(/^\/dashboard\/?/, '/').replace(/\/+$/, '');
}
