/** The completion script for fish, with descriptions. */
import { allCommands, type CommandNode, nameOf, type OptionNode, type Value } from './command-tree.ts';

/** The script. */
export function fishScript(root: CommandNode): string {
  const commands = allCommands(root);
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `# Completion of citewire for fish: citewire completion fish | source
function __citewire_at
    set -l commands ${paths.join(' ')}
    set -l at
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$at $word")
        contains -- $longer $commands; and set at $longer
    end
    test "$at" = "$argv[1]"
end
complete -c citewire -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, subcommands, options, argument }: CommandNode): string[] {
  const here = `complete -c citewire -n ${quote(`__citewire_at ${quote(path)}`)}`;
  return [
    ...subcommands.map((each) => `${here} -a ${quote(nameOf(each))} -d ${quote(each.description)}`),
    ...(argument === undefined || argument.kind === 'other' ? [] : [`${here} ${valueFlags(argument)}`]),
    ...options.map((option) => `${here} ${flagsOf(option)} -d ${quote(option.description)}`),
  ];
}

function flagsOf({ flags, value }: OptionNode): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [...names, ...(value === undefined ? [] : [`-r ${valueFlags(value)}`])].join(' ');
}

function valueFlags(value: Value): string {
  if (value.kind === 'words') return `-f -a ${quote(value.words.join(' '))}`;
  return value.kind === 'file' ? '-F' : '-f';
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
