/** A short status in a coloured pill. */
import type { ComponentChildren } from 'preact';

type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'accent';

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
