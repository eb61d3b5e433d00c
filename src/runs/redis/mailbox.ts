/**
 * Messages between processes about runs. A message may be lost with the connection or its receiver, so the sender repeats
 * it until it takes effect.
 */
import type { Redis } from 'ioredis';
import type { CancelledBy } from '../abort-events.ts';
import type { RunCommands } from './commands.ts';

/**
 * To the owner of the run: `read`, the process `from` has readers of it; `leave`, it has none left; `hurry`, a reader has
 * seen more of it than Redis has; `cancel`, end it; `remove`, the process `from` has removed it. From the owner: `wake`, there is
 * more to read; `forgotten`, it has removed it, too.
 */
export type Mail = { readonly search_id: string } & (
  | { readonly about: 'read' | 'leave' | 'remove'; readonly from: string }
  | { readonly about: 'cancel'; readonly by: CancelledBy }
  | { readonly about: 'hurry' | 'wake' | 'forgotten' }
);

export interface Mailbox {
  /** Does not wait, and does not fail when the message cannot be sent. */
  send(process: string, mail: Mail): void;
  close(): void;
}

/** `subscriber` is a connection used for nothing else; it is closed with the mailbox. */
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
    send: (to, mail) => void commands.send(to, JSON.stringify(mail)).catch(() => {}),
    close: () => subscriber.disconnect(),
  };
}
