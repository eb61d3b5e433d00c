/** The table of commands as the completion scripts need it, read from the parser itself, so that neither can lag the other. */
import type { Argument, Command, Option } from 'commander';

/** What may follow: one of some words, the path of a file, or something that only the user knows. */
export type Value = { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'file' | 'other' };

export interface CommandNode {
  /** Its words without the program's name, such as `keys create`; empty for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly subcommands: readonly CommandNode[];
  readonly options: readonly OptionNode[];
  /** The value of its arguments: if there are several, of the one that can be completed; undefined if it takes none. */
  readonly argument: Value | undefined;
}

export interface OptionNode {
  /** `--json`, and perhaps `-j`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined for a switch. */
  readonly value: Value | undefined;
}

/** The node of the command, with those of its subcommands. */
export function readCommand(command: Command, path = ''): CommandNode {
  const help = command.createHelp();
  const subcommands = help
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')
    .map((each) => readCommand(each, path === '' ? each.name() : `${path} ${each.name()}`));
  const values = command.registeredArguments.map((each) => readValue(each.name(), each));
  const argument = values.find(({ kind }) => kind === 'words') ?? values[0];
  return {
    path,
    description: command.description(),
    subcommands,
    options: help.visibleOptions(command).map(readOption),
    argument,
  };
}

/** The command and all below it, in order. */
export function allCommands(command: CommandNode): CommandNode[] {
  return [command, ...command.subcommands.flatMap(allCommands)];
}

/** The last word of its path. */
export function nameOf({ path }: CommandNode): string {
  return path.slice(path.lastIndexOf(' ') + 1);
}

function readOption(option: Option): OptionNode {
  const takesValue = option.required || option.optional;
  const name = /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? '';
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    description: option.description,
    value: takesValue ? readValue(name, option) : undefined,
  };
}

function readValue(name: string, { argChoices }: Pick<Argument | Option, 'argChoices'>): Value {
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  return { kind: ['file', 'folder', 'source'].includes(name) ? 'file' : 'other' };
}
