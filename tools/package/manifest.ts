/** The package.json of the published package: what an installation needs, without what only a checkout does. */

export type Manifest = Record<string, unknown> & {
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
};

/** Only npm in a checkout reads these. */
const ofCheckout = ['scripts', 'devDependencies', 'allowScripts', 'overrides', 'scarfSettings'];
/** Part of the package itself; see sqlite-copy.ts. */
const included = 'better-sqlite3-next';

/** A copy of the checkout's manifest with only what a published one needs. */
export function publishedManifest(manifest: Manifest): Manifest {
  const { [included]: _, ...optionalDependencies } = manifest.optionalDependencies;
  const kept = Object.entries(manifest).filter(([field]) => !ofCheckout.includes(field));
  return { ...Object.fromEntries(kept), dependencies: manifest.dependencies, optionalDependencies };
}
