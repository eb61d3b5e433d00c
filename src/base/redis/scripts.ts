/** Lua scripts as functions: their texts are sent once, afterwards only their hashes. */
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

type Argument = string | number;

/** The texts of these files, one after the other. A bundle has them beside itself: pass `new URL('./name.lua', import.meta.url)`. */
export function readScript(...files: readonly URL[]): string {
  return files.map((file) => readFileSync(file, 'utf8')).join('');
}

/**
 * The script as a function of its keys, then its arguments; where `keys` is missing, the number of keys comes first. Names are per
 * connection. Rejects when Redis does not answer.
 */
export function defineScript<Arguments extends readonly Argument[], Reply>(
  redis: Redis,
  { name, lua, keys }: { readonly name: string; readonly lua: string; readonly keys?: number },
): (...args: Arguments) => Promise<Reply> {
  const command = `script-${name}`;
  redis.defineCommand(command, { lua, ...(keys === undefined ? {} : { numberOfKeys: keys }) });
  const commands = redis as unknown as Record<string, (...args: Arguments) => Promise<Reply>>;
  return (...args) => commands[command]!(...args);
}
