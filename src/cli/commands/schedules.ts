/** `citewire schedules`: its subcommands and options. */
import type { Command } from 'commander';
import { readConfig } from '../../base/config.ts';
import type { ExitWith } from './exit-with.ts';

const ofAccount = ['--account <id>', 'account; may be omitted where there is only one'] as const;

/** Adds the commands; `exitWith` receives the exit code of the one that was run. */
export function addScheduleCommands(program: Command, exitWith: ExitWith): void {
  const load = () => import('../schedules.ts');
  const schedules = program.command('schedules').description('manage APIs that run by themselves');
  const ofOne = (name: string, what: string) =>
    schedules
      .command(name)
      .description(what)
      .argument('<schedule_id>')
      .option(...ofAccount);
  schedules
    .command('add')
    .description('have an API run at the times of a cron line; prints the id')
    .argument('<api_stub>', 'stub of the API')
    .argument('<cron>', 'five fields, such as "0 8 * * MON"')
    .option('--time-zone <zone>', 'IANA time zone, such as Europe/Prague; default: UTC')
    .option('--inputs <file>', 'JSON file with the inputs')
    .option('--api-version <version>', 'a number, newest or draft')
    .option('--name <name>', 'display name')
    .option('--webhook <url>', 'URL of a webhook of the account, which is sent the end of each run')
    .option(...ofAccount)
    .action(async (stub: string, cron: string, options) =>
      exitWith(await (await load()).addSchedule(stub, cron, options, readConfig())),
    );
  schedules
    .command('list')
    .description('list the schedules, when each runs next, and its last run')
    .option(...ofAccount)
    .action(async (options) => exitWith(await (await load()).listSchedules(options, readConfig())));
  ofOne('enable', 'begin the runs from now on').action(async (id: string, options) =>
    exitWith(await (await load()).setSchedule(id, true, options, readConfig())),
  );
  ofOne('disable', 'begin no more runs').action(async (id: string, options) =>
    exitWith(await (await load()).setSchedule(id, false, options, readConfig())),
  );
  ofOne('remove', 'remove a schedule; a run that has begun goes on').action(async (id: string, options) =>
    exitWith(await (await load()).removeSchedule(id, options, readConfig())),
  );
}
