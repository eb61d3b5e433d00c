/** How the command is called on the server of this page, which puts the name into the page. */
export const commandName =
  document.querySelector<HTMLMetaElement>('meta[name=citewire-command]')?.content ?? 'citewire';
