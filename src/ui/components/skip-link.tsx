/** The first link of a page: it moves the focus to `#main`, over what all pages begin with. */
interface SkipLinkProps {
  readonly text: string;
}

export function SkipLink({ text }: SkipLinkProps) {
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link to a part of the page
    <a
      class="skip-link"
      href="#main"
      onClick={(event) => {
        // The address stays: its fragment may be the secret of a share link.
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      {text}
    </a>
  );
}
