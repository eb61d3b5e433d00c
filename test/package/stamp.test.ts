/** A release stamps the protocol and the changelog. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stamp } from '../../tools/package/stamp.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const openApi = "export const apiVersion = '1.6.0';\nexport const packageVersion = '1.9.2';\n";
const changelog = '# Changelog\n\n## Unreleased\n\n- One thing.\n\n## 1.9.2 (2026-11-01)\n\n- Another.\n';

describe('a release', () => {
  it.each(['1.9.3', '1.10.0', '2.0.0'])('gives the documents its version, %s, and its changes a heading', (version) => {
    const stamped = stamp({ changelog, openApi }, version, '2026-11-22');
    expect(stamped.openApi).toBe(`export const apiVersion = '1.6.0';\nexport const packageVersion = '${version}';\n`);
    expect(stamped.changelog).toContain(`## Unreleased\n\n## ${version} (2026-11-22)\n\n- One thing.\n\n## 1.9.2`);
  });

  it.each(['1.9.2', '1.8.9', '0.10.3'])('is refused as %s, after 1.9.2', (version) => {
    expect(() => stamp({ changelog, openApi }, version, '')).toThrow(`expected a version above 1.9.2, the last one`);
  });

  it.each(['# Changelog\n', '## Unreleased\n\n## 1.0.0\n\n- Old.\n'])('is refused without changes: %j', (empty) => {
    expect(() => stamp({ changelog: empty, openApi }, '3.0.0', '')).toThrow('expected a list of changes');
  });

  it('can be made of the files as they are, which have the version of the package', () => {
    const texts = { changelog: read('CHANGELOG.md'), openApi: read('protocol/openapi.ts') };
    expect(stamp(texts, '999.0.0', '2026-11-22').openApi).toContain("packageVersion = '999.0.0'");
    const { version } = JSON.parse(read('package.json'));
    for (const path of ['protocol/openapi.json', 'protocol/asyncapi.json']) {
      expect(JSON.parse(read(path)).info['x-citewire-version'], path).toBe(version);
    }
  });
});
