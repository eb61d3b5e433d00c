/**
 * What processes tell each other about runs. A message may be lost, with the connection or the process that it was for:
 * whoever tells one says it again until it shows.
 */
import type { Redis } from 'ioredis';
import type { CancelledBy } from '../abort-events.ts';
import type { RunCommands } from './commands.ts';

/**
 * read: `from` has readers of this run, which is yours. leave: it has none any more. hurry: somebody has seen more of it
 * than Redis has. cancel: end it. wake: there is more to read of a run of mine.
 */
export type Mail = { readonly search_id: string } & (
  | { readonly about: 'read' | 'leave'; readonly from: string }
  | { readonly about: 'cancel'; readonly by: CancelledBy }
  | { readonly about: 'hurry' | 'wake' }
);

export interface Mailbox {
  tell(process: string, mail: Mail): void;
  close(): void;
}

/** `subscriber` can do nothing else; it is closed with the mailbox. */
export function openMailbox(options: {
  readonly commands: RunCommands;
  readonly subscriber: Redis;
  readonly process: string;
  readonly onMail: (mail: Mail) => void;
}): Mailbox {
  const { commands, subscriber, process, onMail } = options;
  const listen = () => void subscriber.subscribe(commands.channelOf(process)).catch(() => {});
  subscriber.on('ready', listen);
  if (subscriber.status === 'ready') listen();
  subscriber.on('message', (_channel: string, text: string) => onMail(JSON.parse(text) as Mail));
  return {
    tell: (to, mail) => void commands.tell(to, JSON.stringify(mail)).catch(() => {}),
    close: () => subscriber.disconnect(),
  };
}
