/** `citewire design`: its subcommands and options. */
import type { Command } from 'commander';
import { readConfig } from '../../base/config.ts';
import { readVersion, readVersionNumber } from './arguments.ts';
import type { ExitWith } from './exit-with.ts';
import { accountOption, keyOption, serverOption } from './server-options.ts';

/** Adds the subcommands; `exitWith` receives the exit code of the one that was run. */
export function addDesignCommands(program: Command, exitWith: ExitWith): void {
  const design = program.command('design').description('manage designs: APIs made of a prompt with typed inputs');
  const load = () => import('../designs/design.ts');
  const add = (name: string, description: string) =>
    design
      .command(name)
      .description(description)
      .addOption(serverOption('base URL of a running server to use, instead of the database'))
      .addOption(keyOption())
      .addOption(accountOption('without a server: account of the designs'));

  add('list', 'list the designs of the account').action(async (options) =>
    exitWith(await (await load()).listDesigns(options, readConfig())),
  );
  add('import', 'create a design from a JSON file, or update the one with the same stub; prints only its id')
    .argument('<file>')
    .action(async (file: string, options) => exitWith(await (await load()).importDesign(file, options, readConfig())));
  add('export', 'print a design as JSON for `import`')
    .argument('<name>', 'stub or id')
    .option('--version <number>', 'this published version instead of the draft', readVersionNumber)
    .action(async (name: string, options) => exitWith(await (await load()).exportDesign(name, options, readConfig())));
  add('publish', 'run the examples of a design and publish it; prints stub and version')
    .argument('<name>', 'stub or id')
    .action(async (name: string, options) => exitWith(await (await load()).publishDesign(name, options, readConfig())));
  add('versions', 'list the published versions of a design, newest first')
    .argument('<name>', 'stub or id')
    .action(async (name: string, options) => exitWith(await (await load()).listVersions(name, options, readConfig())));
  add('restore', 'replace the draft of a design with one of its published versions; prints its id')
    .argument('<name>', 'stub or id')
    .argument('<version>', 'number of the version', readVersionNumber)
    .action(async (name: string, version: number, options) =>
      exitWith(await (await load()).restoreVersion(name, version, options, readConfig())),
    );
  add('retire', 'stop offering a published version; calls that name this version still work')
    .argument('<stub>')
    .argument('<version>', 'number of the version', readVersionNumber)
    .option('--undo', 'offer it again')
    .action(async (stub: string, version: number, options) =>
      exitWith(await (await load()).retireVersion(stub, version, options, readConfig())),
    );
  add('delete', 'delete a design; its published versions stay available')
    .argument('<name>', 'stub or id')
    .action(async (name: string, options) => exitWith(await (await load()).deleteDesign(name, options, readConfig())));
  add('browse', 'list the published APIs of all accounts')
    .argument('[words...]', 'only APIs that contain all of these words')
    .action(async (words: string[], options) =>
      exitWith(await (await load()).browsePublished(words, options, readConfig())),
    );
  add('run', 'run a design or a published API')
    .argument('<stub>')
    .option('--input <name=value...>', 'value of an input')
    .option(
      '--version <version>',
      'a number, newest or draft; default: the draft if there is one, else the newest',
      readVersion,
    )
    .option('--json', 'print only the result, as JSON')
    .action(async (stub: string, options) => exitWith(await (await load()).runDesign(stub, options, readConfig())));
}
