/** `write-bundle.ts <folder>`: bundles the sources into a folder that is not there yet. Ends with exit code 1 and the reason if it cannot. */
import { bundleServer } from './bundle.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('expected the folder to write the bundle to');
try {
  await bundleServer(folder);
} catch (error) {
  process.stderr.write(reasonOf(error as Error));
  process.exitCode = 1;
}

/** After an update of the clone, packages may be missing that its sources import. */
function reasonOf({
  message,
  errors = [],
}: Error & { readonly errors?: readonly { readonly text: string }[] }): string {
  const missing = errors.map(({ text }) => /^Could not resolve "([^"]+)"/.exec(text)?.[1]).find(Boolean);
  return missing === undefined ? message : `${missing} is not installed: run \`npm ci\``;
}
