/** The heading of a dashboard page. */
import type { ComponentChildren } from 'preact';
import { isHidden } from './session.ts';

interface HeadProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  /** Actions beside the title. */
  readonly children?: ComponentChildren;
}

/** Also sets the title of the document, where it may be shown. */
export function PageHead({ title, about, children }: HeadProps) {
  if (!isHidden.value) document.title = `${title} – Citewire`;
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
