/** The `citewire` command at a real terminal, 100 columns wide: `script` of util-linux makes one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Terminal {
  /** What is on it so far, with the sequences that colour it. */
  text(): string;
  /** Resolves with all the text when this is on it; rejects when the command ends before. */
  until(pattern: RegExp): Promise<string>;
  /** Types Ctrl+C and resolves when the command has ended. */
  interrupt(): Promise<void>;
  /** Resolves with all the text when the command has ended by itself. */
  ended(): Promise<string>;
}

const cli = fileURLToPath(new URL('../../../tools/start.js', import.meta.url));

/** For `describe.skipIf`. */
export const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') === true;

/** `env` is its whole environment except PATH and TERM. */
export function openTerminal(args: readonly string[], env: Record<string, string>): Terminal {
  const command = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(' ');
  const child: ChildProcess = spawn('script', ['-qfec', `stty cols 100 rows 40; ${command}`, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  });
  let text = '';
  let hasEnded = false;
  child.stdout!.on('data', (bytes) => {
    text += bytes;
    child.emit('text');
  });
  const ended = once(child, 'close').then(() => {
    hasEnded = true;
    child.emit('text');
  });
  return {
    text: () => text,
    async until(pattern) {
      while (!pattern.test(text)) {
        if (hasEnded) throw new Error(`expected ${pattern} at the terminal; it ended with ${text}`);
        await once(child, 'text');
      }
      return text;
    },
    async interrupt() {
      child.stdin!.write('\x03');
      await ended;
    },
    async ended() {
      await ended;
      return text;
    },
  };
}
