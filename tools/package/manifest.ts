/** The package.json of the published package: what an installation needs, without what only a checkout does. */

export type Manifest = Record<string, unknown> & {
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
};

/** Only npm in a checkout reads these. */
const ofCheckout = ['scripts', 'devDependencies', 'allowScripts', 'overrides', 'scarfSettings'];
/** Part of the package itself; see sqlite-copy.ts. */
const included = 'better-sqlite3-next';
/**
 * Needed where the included one does not load, which is on Node 20. Who runs that installs it, too: as a dependency, it and the 38
 * packages that build it would be 14 MB that a newer Node does not use.
 */
const older = 'better-sqlite3';

/** A copy of the checkout's manifest with only what a published one needs. */
export function publishedManifest(manifest: Manifest): Manifest {
  const { [included]: _, [older]: version, ...optionalDependencies } = manifest.optionalDependencies;
  if (version === undefined) throw new Error(`expected ${older} in optionalDependencies`);
  const kept = Object.entries(manifest).filter(([field]) => !ofCheckout.includes(field));
  return {
    ...Object.fromEntries(kept),
    dependencies: manifest.dependencies,
    optionalDependencies,
    peerDependencies: { [older]: `^${version}` },
    peerDependenciesMeta: { [older]: { optional: true } },
  };
}
