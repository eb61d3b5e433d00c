/** Small parts that the dashboard's pages share. */
import type { ComponentChildren } from 'preact';
import { Button } from '../components/button.tsx';
import type { Loaded } from './load.ts';

interface HeadProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  /** Stands beside the title. */
  readonly children?: ComponentChildren;
}

/** The title of a page, which the document has too. */
export function PageHead({ title, about, children }: HeadProps) {
  document.title = `${title} – Citewire`;
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {about !== undefined && <p class="page-about">{about}</p>}
      </div>
      {children !== undefined && <div class="page-actions">{children}</div>}
    </header>
  );
}

interface LoadedViewProps<Data> {
  readonly loaded: Loaded<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

/** What was loaded, that it is being loaded, or why it could not be. */
export function LoadedView<Data>({ loaded: { data, fault, reload }, children }: LoadedViewProps<Data>) {
  return (
    <>
      {fault !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p>{fault}</p>
          <Button onClick={reload}>Try again</Button>
        </div>
      )}
      {data !== undefined && children(data)}
      {data === undefined && fault === undefined && (
        <p class="loading" role="status">
          Loading…
        </p>
      )}
    </>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Instead of a list that has nothing in it. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'accent';

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

/** What may be wider than the page: it scrolls by itself, with the keyboard too. */
export function Wide({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus the keyboard cannot scroll it
    <section class="wide" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
