/** `citewire schedules`: its subcommands and options. */
import type { Command } from 'commander';
import { readConfig } from '../../base/config.ts';
import type { ExitWith } from './exit-with.ts';
import { accountOption } from './server-options.ts';

/** Adds the commands; `exitWith` receives the exit code of the one that was run. */
export function addScheduleCommands(program: Command, exitWith: ExitWith): void {
  const load = () => import('../accounts/schedules.ts');
  const schedules = program.command('schedules').description('manage schedules, which run APIs at set times');
  const ofOne = (name: string, what: string) =>
    schedules.command(name).description(what).argument('<schedule_id>').addOption(accountOption('account'));
  schedules
    .command('add')
    .description('run an API at the times of a cron expression; prints the id of the schedule')
    .argument('<api_stub>', 'stub of the API')
    .argument('<cron>', 'five fields, such as "0 8 * * MON"')
    .option('--time-zone <zone>', 'IANA time zone, such as Europe/Prague; default: UTC')
    .option('--inputs <file>', 'JSON file with the inputs')
    .option('--api-version <version>', 'a number, newest or draft')
    .option('--name <name>', 'display name')
    .option('--webhook <url>', 'URL of a webhook of the account to call at the end of each run')
    .addOption(accountOption('account'))
    .action(async (stub: string, cron: string, options) =>
      exitWith(await (await load()).addSchedule(stub, cron, options, readConfig())),
    );
  schedules
    .command('list')
    .description('list the schedules, when each runs next, and its last run')
    .addOption(accountOption('account'))
    .action(async (options) => exitWith(await (await load()).listSchedules(options, readConfig())));
  ofOne('enable', 'resume a schedule').action(async (id: string, options) =>
    exitWith(await (await load()).setSchedule(id, true, options, readConfig())),
  );
  ofOne('disable', 'pause a schedule until it is enabled again').action(async (id: string, options) =>
    exitWith(await (await load()).setSchedule(id, false, options, readConfig())),
  );
  ofOne('remove', 'remove a schedule; a run in progress continues').action(async (id: string, options) =>
    exitWith(await (await load()).removeSchedule(id, options, readConfig())),
  );
}
