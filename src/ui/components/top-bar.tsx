/** The top of every page except the chat: a skip link, the brand, and the page's own controls at the end. */
import type { ComponentChildren } from 'preact';
import { BrandIcon } from './icons.tsx';
import { SkipLink } from './skip-link.tsx';

interface TopBarProps {
  /** The text of the link to `#main`. */
  readonly skip: string;
  /** Whether a panel covers it; nothing in it can be focused then. */
  readonly isCovered?: boolean;
  readonly children: ComponentChildren;
}

export function TopBar({ skip, isCovered = false, children }: TopBarProps) {
  return (
    <>
      {!isCovered && <SkipLink text={skip} />}
      <header class="top" inert={isCovered}>
        <a class="brand" href="/">
          <BrandIcon size={22} /> Citewire
        </a>
        <span class="top-space" />
        {children}
      </header>
    </>
  );
}
