/**
 * Where the server of a data folder listens, noted in the folder for commands such as `citewire login`: with PORT=0, or other
 * settings than theirs, they could not know. The note of a server that was killed is recognised, because nobody answers there.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';

const Note = z.object({
  /** The base URL at which browsers reach the server. */
  url: z.string(),
  host: z.string(),
  port: z.number().int(),
  /** The id of the process, which means something only on the machine that it runs on. */
  pid: z.number().int(),
  machine: z.string(),
});
type Note = z.infer<typeof Note>;

/** How long the server may take to accept a connection, ms; set by hand: it is nearby. */
const acceptMs = 2_000;

/**
 * Writes the note and returns a function that removes it, unless another server has written its own by then. Servers that
 * share a folder share the note. A folder that cannot be written to does not keep a server from running.
 */
export function noteServer(dataDir: string, place: Pick<Note, 'url' | 'host' | 'port'>): () => void {
  const path = pathIn(dataDir);
  const text = `${JSON.stringify({ ...place, pid: process.pid, machine: hostname() } satisfies Note)}\n`;
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => {
    try {
      if (readFileSync(path, 'utf8') === text) rmSync(path);
    } catch {
      // It is gone already.
    }
  };
}

/** The base URL of the server that runs on this folder; undefined if none does. */
export async function runningServer(dataDir: string): Promise<string | undefined> {
  const note = readNote(dataDir);
  if (note === undefined || (note.machine === hostname() && !isAlive(note.pid))) return undefined;
  return (await accepts(note)) ? note.url : undefined;
}

function readNote(dataDir: string): Note | undefined {
  try {
    return Note.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function accepts({ host, port }: Note): Promise<boolean> {
  return new Promise((resolve) => {
    const isAnyAddress = host === '0.0.0.0' || host === '::';
    const socket = connect({ host: isAnyAddress ? 'localhost' : host, port, timeout: acceptMs });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'server.json');
}
