/** The completion script for zsh, with descriptions: to be sourced after compinit, or kept as a file `_citewire` in `fpath`. */
import { shellQuoted } from '../../../protocol/sample-code.ts';
import { allCommands, type CommandNode, nameOf, type Value } from './command-tree.ts';

/** The script. */
export function zshScript(root: CommandNode): string {
  const commands = allCommands(root);
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => shellQuoted(path));
  return `#compdef citewire
# Completion of citewire for zsh: source <(citewire completion zsh)
_citewire() {
  local at= longer i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    longer="\${at:+$at }\${words[i]}"
    case "$longer" in (${paths.join(' | ')}) at=$longer ;; esac
  done
  case "$at \${words[CURRENT - 1]}" in
${commands.flatMap(valueRows).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$at" in
${commands.map(({ path, options }) => `      (${shellQuoted(path)}) found=(${options.flatMap((each) => each.flags.map((flag) => described(flag, each.description))).join(' ')}) ;;`).join('\n')}
    esac
    _describe -o option found
    return
  fi
  case "$at" in
${commands.flatMap(wordRow).join('\n')}
  esac
}
if [[ \${funcstack[1]} == _citewire ]]; then _citewire "$@"; else compdef _citewire citewire; fi
`;
}

/** What follows an option that takes a value. */
function valueRows({ path, options }: CommandNode): string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === undefined) return [];
    const patterns = flags.map((flag) => shellQuoted(`${path} ${flag}`)).join(' | ');
    return [`    (${patterns}) ${action(value)}; return ;;`];
  });
}

/** The subcommands or the arguments of a command. */
function wordRow({ path, subcommands, argument }: CommandNode): string[] {
  if (subcommands.length > 0) {
    const found = subcommands.map((each) => described(nameOf(each), each.description)).join(' ');
    return [`    (${shellQuoted(path)}) found=(${found}); _describe command found ;;`];
  }
  return argument === undefined ? [] : [`    (${shellQuoted(path)}) ${action(argument)} ;;`];
}

function action(value: Value): string {
  if (value.kind === 'words') return `compadd -- ${value.words.map(shellQuoted).join(' ')}`;
  return value.kind === 'file' ? '_files' : ':';
}

/** As `_describe` takes it: the colon separates the two. */
function described(word: string, description: string): string {
  return shellQuoted(`${word.replaceAll(':', '\\:')}:${description}`);
}
