/** The completion script for bash, from 3.2 on, which is what macOS has: no arrays by name, no `mapfile`. */
import { shellQuoted } from '../../../protocol/sample-code.ts';
import { allCommands, type CommandNode, nameOf, type Value } from './command-tree.ts';

/** The script. It needs no other program and reads no file but the names that it completes. */
export function bashScript(root: CommandNode): string {
  const commands = allCommands(root);
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => shellQuoted(path));
  return `# Completion of citewire for bash: source <(citewire completion bash)
_citewire() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at= longer i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    longer="\${at:+$at }\${COMP_WORDS[i]}"
    case "$longer" in ${paths.join(' | ')}) at=$longer ;; esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${commands.flatMap(valueRows).join('\n')}
  esac
  case "$at" in
${commands.map(commandRow).join('\n')}
  esac
}
_citewire_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }
_citewire_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _citewire citewire
`;
}

/** What follows an option that takes a value. */
function valueRows({ path, options }: CommandNode): string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === undefined) return [];
    const patterns = flags.map((flag) => shellQuoted(`${path} ${flag}`)).join(' | ');
    return [`    ${patterns}) ${action(value)}; return ;;`];
  });
}

function commandRow({ path, subcommands, options, argument }: CommandNode): string {
  const flags = options.flatMap((option) => option.flags).join(' ');
  const words = action({ kind: 'words', words: [...subcommands.map(nameOf), flags] });
  if (argument === undefined) return `    ${shellQuoted(path)}) ${words} ;;`;
  return `    ${shellQuoted(path)}) if [[ $current == -* ]]; then ${words}; else ${action(argument)}; fi ;;`;
}

function action(value: Value): string {
  if (value.kind === 'words') return `_citewire_words ${shellQuoted(value.words.join(' '))}`;
  return value.kind === 'file' ? '_citewire_files' : ':';
}
