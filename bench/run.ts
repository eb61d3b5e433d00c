/** `npm run bench -- <name> [arguments]`: runs bench/<name>.ts, whose default export prints what it measured. */
import { readdirSync } from 'node:fs';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.replace(/\.ts$/, ''));
const [name = '', ...rest] = process.argv.slice(2);

if (!names.includes(name)) {
  process.stderr.write(`Expected one of: ${names.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  const bench = (await import(`./${name}.ts`)) as { default: (args: string[]) => Promise<void> };
  await bench.default(rest);
}
