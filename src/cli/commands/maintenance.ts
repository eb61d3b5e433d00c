/** `citewire doctor`, `backup`, `restore`, `prune` and `corpus`: their options. */
import { type Command, Option } from 'commander';
import { readConfig } from '../../base/config.ts';
import { readRetentionDays } from './arguments.ts';
import type { ExitWith } from './exit-with.ts';

/** Adds the commands; `exitWith` receives the exit code of the one that was run. */
export function addMaintenanceCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('doctor')
    .description(
      'check everything the server needs with the current settings, and say what to do; safe while a server is running',
    )
    .option('--json', 'print one JSON object')
    .action(async (options) => exitWith(await (await import('../doctor/doctor.ts')).doctor(options, readConfig)));
  program
    .command('backup')
    .description('copy the database and the index of DATA_DIR to a folder, even while the server runs')
    .argument('<folder>', 'a new or an empty folder')
    .action(async (folder: string) =>
      exitWith(await (await import('../backup/backup.ts')).backup(folder, readConfig())),
    );
  program
    .command('corpus')
    .description('manage where the index and the snapshots are stored')
    .command('move')
    .description(
      'copy the index and what searches cite between DATA_DIR and the Postgres of DATABASE_URL; safe to rerun',
    )
    .addOption(new Option('--to <place>', 'where to').choices(['sqlite', 'postgres']).makeOptionMandatory())
    .action(async ({ to }: { to: 'sqlite' | 'postgres' }) =>
      exitWith(await (await import('../corpus/move-corpus.ts')).moveCorpus(to, readConfig())),
    );
  program
    .command('restore')
    .description('replace the files in DATA_DIR with those of a backup, while no server is running')
    .argument('<folder>', 'the folder of the backup')
    .action(async (folder: string) =>
      exitWith(await (await import('../backup/restore.ts')).restore(folder, readConfig())),
    );
  program
    .command('prune')
    .description('remove old searches now, and reclaim disk space in DATA_DIR; safe while a server is running')
    .option(
      '--older-than <days>',
      'remove searches and chats older than this, such as 30 or 30d; default: KEEP_SEARCHES_DAYS',
      readRetentionDays,
    )
    .action(async (options) => exitWith(await (await import('../prune/prune.ts')).prune(options, readConfig())));
}
