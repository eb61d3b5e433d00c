/**
 * What a release changes besides the version in package.json: the documents of the protocol say which release they are of, and
 * the changelog has a heading for it. The version of the interface in these documents is another one.
 */

export interface Texts {
  /** CHANGELOG.md */
  readonly changelog: string;
  /** protocol/openapi.ts, which has the versions of both documents. */
  readonly openApi: string;
}

const unreleased = '## Unreleased\n';
const packageVersion = /(?<=export const packageVersion = ')[^']+/;

/**
 * The texts with `version` (such as `1.7.0`) and `date` (such as `2026-11-22`). Throws when nothing is listed as unreleased, or
 * the version is not above that of the last release.
 */
export function stamp({ changelog, openApi }: Texts, version: string, date: string): Texts {
  const before = packageVersion.exec(openApi)?.[0];
  if (before === undefined) throw new Error('protocol/openapi.ts: expected `export const packageVersion`');
  if (!isAbove(version, before)) {
    throw new Error(`expected a version above ${before}, the last one; got ${version}`);
  }
  const [head, rest] = changelog.split(unreleased);
  if (rest === undefined || !/^- /m.test(rest.split(/^## /m)[0]!)) {
    throw new Error(`CHANGELOG.md: expected a list of changes under "${unreleased.trim()}"`);
  }
  return {
    changelog: `${head}${unreleased}\n## ${version} (${date})\n${rest}`,
    openApi: openApi.replace(packageVersion, version),
  };
}

function isAbove(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('-')[0]!.split('.').map(Number));
  const at = a!.findIndex((part, n) => part !== b![n]);
  return at !== -1 && a![at]! > b![at]!;
}
