/** `citewire sources` and `citewire collections`: their subcommands and options. */
import type { Command } from 'commander';
import { documentKinds } from '../../../protocol/index.ts';
import { readConfig } from '../../base/config.ts';
import type { ExitWith } from './exit-with.ts';
import { keyOption, serverOption } from './server-options.ts';

/** Adds the commands; `exitWith` receives the exit code of the one that was run. */
export function addSourceCommands(program: Command, exitWith: ExitWith): void {
  const local = () => import('../sources/sources.ts');
  const remote = () => import('../sources/remote-sources.ts');
  const atServer = (command: Command) =>
    command.addOption(serverOption('base URL of the running server').makeOptionMandatory()).addOption(keyOption());
  const atEither = (command: Command) =>
    command
      .addOption(serverOption('base URL of a running server, instead of the index in DATA_DIR'))
      .addOption(keyOption());

  const sources = program.command('sources').description('manage the sources in the index');
  atEither(sources.command('list').description('list the sources and the number of pages of each')).action(async (at) =>
    exitWith(
      at.server === undefined
        ? await (await local()).listSources(readConfig())
        : await (await remote()).listRemoteSources(at),
    ),
  );
  atServer(
    sources
      .command('add')
      .description('have a server index a page or a sitemap or, for administrators, a folder on the server')
      .argument('<place>', 'a URL; with --folder a path on the server')
      .option('--folder', 'the place is a folder on the server'),
  ).action(async (place: string, at) =>
    exitWith(await (await remote()).addRemoteSource(place, at.folder === true ? 'folder' : 'url', at)),
  );
  atServer(
    sources.command('upload').description(`upload a file to a server: ${documentKinds}`).argument('<file>', 'the file'),
  ).action(async (file: string, at) => exitWith(await (await remote()).addRemoteSource(file, 'file', at)));
  atServer(
    sources
      .command('reindex')
      .description('have a server index a source again')
      .argument('<source>', 'its id or name, as shown by `sources list`'),
  ).action(async (named: string, at) => exitWith(await (await remote()).reindexRemoteSource(named, at)));
  atEither(
    sources
      .command('remove')
      .description('remove the pages of a source from the index')
      .argument('<source>', 'as shown by `sources list`, or as given to `index`'),
  ).action(async (named: string, at) =>
    exitWith(
      at.server === undefined
        ? await (await local()).removeSource(named, readConfig())
        : await (await remote()).removeRemoteSource(named, at),
    ),
  );

  const collections = program.command('collections').description('manage named groups of sources of a server');
  atServer(collections.command('list').description('list the collections')).action(async (at) =>
    exitWith(await (await remote()).listCollections(at)),
  );
  atServer(
    collections
      .command('create')
      .description('create a collection; prints its id')
      .argument('<name>')
      .option('--add <source...>', 'ids or names of its first sources'),
  ).action(async (name: string, at) => exitWith(await (await remote()).createCollection(name, at)));
  atServer(
    collections
      .command('change')
      .description('rename a collection, add or remove sources')
      .argument('<collection>', 'its id or name')
      .option('--name <name>', 'a new name')
      .option('--add <source...>', 'ids or names of sources to add')
      .option('--remove <source...>', 'ids or names of sources to remove'),
  ).action(async (named: string, at) => exitWith(await (await remote()).changeCollection(named, at)));
  atServer(
    collections
      .command('remove')
      .description('remove a collection; its sources stay')
      .argument('<collection>', 'its id or name'),
  ).action(async (named: string, at) => exitWith(await (await remote()).removeCollection(named, at)));
}
