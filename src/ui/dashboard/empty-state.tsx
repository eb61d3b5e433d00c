/** Shown in place of an empty list. */
import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
