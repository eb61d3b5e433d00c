/** Scripts that complete the commands in a shell, generated from the table of commands. */
import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { type CommandNode, readCommand } from './command-tree.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } satisfies Record<
  string,
  (root: CommandNode) => string
>;

export type ShellName = keyof typeof scripts;

/** The shells that have a script. */
export const shellNames = Object.keys(scripts) as ShellName[];

/** The script for the shell, to be sourced by it. */
export function completionScript(program: Command, shell: ShellName): string {
  return scripts[shell](readCommand(program));
}
