/** The heading of a dashboard page. */
import type { ComponentChildren } from 'preact';

interface HeadProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  /** Actions beside the title. */
  readonly children?: ComponentChildren;
}

/** Also sets the title of the document. */
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
