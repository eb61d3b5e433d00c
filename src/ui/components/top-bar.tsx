/** The top of every page except the chat: a skip link, the brand, and the page's own controls at the end. */
import type { ComponentChildren } from 'preact';
import { BrandIcon } from './icons.tsx';
import { SkipLink } from './skip-link.tsx';

interface TopBarProps {
  /** The text of the link to `#main`. */
  readonly skip: string;
  readonly children: ComponentChildren;
}

export function TopBar({ skip, children }: TopBarProps) {
  return (
    <>
      <SkipLink text={skip} />
      <header class="top">
        <a class="brand" href="/">
          <BrandIcon size={22} /> Citewire
        </a>
        <span class="top-space" />
        {children}
      </header>
    </>
  );
}
