/** The real app, settings from the environment, over an index of the folder that it is given: `app.ts <folder>`. */
import { startApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/base/config.ts';
import { createLog } from '../../../src/base/log.ts';

const config = readConfig();
const app = await startApp(config, createLog(config.logLevel));
await app.corpus.index({ kind: 'folder', path: process.argv[2]! });
process.once('SIGTERM', () => app.close());
process.stdout.write(`${JSON.stringify({ url: app.url })}\n`);
