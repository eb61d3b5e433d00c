/** The name of the command on this page's server, which writes it into the page. */
export const commandName =
  document.querySelector<HTMLMetaElement>('meta[name=citewire-command]')?.content ?? 'citewire';
