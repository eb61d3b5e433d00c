/** Node and the two native parts of the program: which builds load here, and why not the others. */
import { loadSqlite } from '../../base/sqlite.ts';
import { loadUws } from '../../transport/uws/load-uws.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';

/** The version of Node; older ones do not get this far. */
export const checkNode: Check = async () => ok(`Node ${process.versions.node}.`);

/** Which server carries the transport, and why. */
export const checkTransport: Check = async ({ config: { transport } }) => {
  if (transport === 'node') return ok('The portable server, because TRANSPORT is node.');
  try {
    const { build } = await loadUws();
    const why = transport === 'uws' ? 'TRANSPORT is uws' : 'it loads here';
    return ok(`The native server (${build}), because ${why}.`);
  } catch (error) {
    if (transport === 'uws') return problem(`${reasonOf(error)}.`, 'Do that, or set TRANSPORT=node.');
    const fix = 'No action is needed: it has the same features. Set TRANSPORT=node to silence this warning.';
    return warning(`The portable server, which is slower: ${reasonOf(error)}.`, fix);
  }
};

/** Whether a build of SQLite loads, and its version. */
export const checkSqlite: Check = async () => {
  try {
    const database = new (loadSqlite())(':memory:');
    const version = database.prepare('select sqlite_version()').pluck().get();
    database.close();
    return ok(`SQLite ${version}.`);
  } catch (error) {
    return problem(`${reasonOf(error)}.`, 'Follow the message, and always use the same version of Node.');
  }
};
