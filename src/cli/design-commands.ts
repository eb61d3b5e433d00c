/** The commands of `citewire design`, as the command line takes them. */
import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../base/config.ts';

/** `exitWith` takes the exit code of the command that was run. */
export function addDesignCommands(program: Command, exitWith: (code: number) => void): void {
  const design = program.command('design').description('designed and published APIs: prompts with typed inputs');
  const load = () => import('./design.ts');
  const add = (name: string, description: string) =>
    design
      .command(name)
      .description(description)
      .option('--server <url>', 'work on a running server instead of the store')
      .option('--key <key>', 'the API key for that server')
      .option('--account <id>', 'without a server: whose designs; the only account, unless there are more');

  add('list', 'list the designs of the account').action(async (options) =>
    exitWith(await (await load()).listDesigns(options, readConfig())),
  );
  add('import', 'make a design from a JSON file, or change the one of its stub to it; its id is printed alone')
    .argument('<file>')
    .action(async (file: string, options) => exitWith(await (await load()).importDesign(file, options, readConfig())));
  add('export', 'print a design as JSON that can be imported')
    .argument('<name>', 'its stub or its id')
    .option('--version <number>', 'as this version was published', versionNumber)
    .action(async (name: string, options) => exitWith(await (await load()).exportDesign(name, options, readConfig())));
  add('publish', 'run the examples of a design and publish it; prints stub and version')
    .argument('<name>', 'its stub or its id')
    .action(async (name: string, options) => exitWith(await (await load()).publishDesign(name, options, readConfig())));
  add('versions', 'list what was published of a design, newest first')
    .argument('<name>', 'its stub or its id')
    .action(async (name: string, options) => exitWith(await (await load()).listVersions(name, options, readConfig())));
  add('delete', 'delete a design; its published versions stay')
    .argument('<name>', 'its stub or its id')
    .action(async (name: string, options) => exitWith(await (await load()).deleteDesign(name, options, readConfig())));
  add('browse', 'list the published APIs of everyone')
    .argument('[words...]', 'those that hold all of these words')
    .action(async (words: string[], options) =>
      exitWith(await (await load()).browsePublished(words, options, readConfig())),
    );
  add('run', 'run a design or a published API')
    .argument('<stub>')
    .option('--input <name=value...>', 'an input')
    .option('--version <version>', 'a number, newest or draft; unless given, the draft if there is one', version)
    .option('--json', 'print the result as JSON and nothing else')
    .action(async (stub: string, options) => exitWith(await (await load()).runDesign(stub, options, readConfig())));
}

function version(text: string): number | 'newest' | 'draft' {
  return text === 'newest' || text === 'draft' ? text : versionNumber(text);
}

function versionNumber(text: string): number {
  if (/^v?\d+$/.test(text)) return Number(text.replace('v', ''));
  throw new InvalidArgumentError('Expected the number of a version.');
}
