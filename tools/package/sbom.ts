/**
 * Prints the software bill of materials of the published package, in CycloneDX: `node --import tsx tools/package/sbom.ts`. It is what
 * `npm sbom` says of the lock file, without the packages that are neither installed with Citewire nor part of its bundle.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout-manifest.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const options = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--loglevel', 'error'];
const text = execFileSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
const bom = JSON.parse(text) as Bom;

const bundled = new Set(
  [...readFileSync(join(root, 'NOTICES.md'), 'utf8').matchAll(/^## (\S+ \d\S+)$/gm)].map(([, each]) => each),
);
const components = bom.components.filter(({ name, version, properties = [] }) => {
  const isDevelopment = properties.some((each) => each.name === 'cdx:npm:package:development' && each.value === 'true');
  return !isDevelopment || bundled.has(`${name} ${version}`);
});
const refs = new Set([bom.metadata.component, ...components].map((each) => each['bom-ref']));
const dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
process.stdout.write(`${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`);
