/** How `npm start` starts the server, read from package.json, so that what is measured is what users run. */
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** What follows `node` in the script `start`: options of Node, then the file and its argument. */
export const npmStart: readonly string[] = scripts.start.split(' ').slice(1);

/** The options of Node alone. */
export const nodeOptions: readonly string[] = npmStart.filter((word) => word.startsWith('--'));
