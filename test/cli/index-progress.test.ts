/** What `citewire index` shows while it runs: a bar at a terminal, nothing elsewhere, and always what was left out and why. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makePdf } from '../support/documents/make-pdf.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { hasTerminal, openTerminal } from '../support/processes/terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const pages = 12;
const summary = `${pages + 1} added, 0 updated, 0 unchanged, 0 removed, 1 failed`;

/** Notes, one PDF, one file that claims to be a PDF, and one of a kind that is not read. */
function makeDocuments(): string {
  const folder = temporaryFolder();
  for (let at = 0; at < pages; at++) {
    writeFileSync(join(folder, `note-${at}.md`), `# Note ${at}\n\nThe lamp of tower ${at} was lit in ${1850 + at}.\n`);
  }
  const paper = makePdf({ title: 'The towers', pages: [['The towers of the coast were built by Ada Quill.']] });
  writeFileSync(join(folder, 'towers.pdf'), paper);
  writeFileSync(join(folder, 'broken.pdf'), 'This is plain text.');
  writeFileSync(join(folder, 'lamp.blend'), 'BLENDER');
  return folder;
}

describe('citewire index', () => {
  it.skipIf(!hasTerminal)('draws a bar at a terminal, which grows and is gone at the end', async () => {
    const env = { DATA_DIR: temporaryFolder() };
    const text = await openTerminal(['index', makeDocuments()], env).ended();
    const bars = [...text.matchAll(/\r(█*)(░*) (\d+)\/(\d+)(, 1 failed)? /g)];
    expect(bars.length).toBeGreaterThan(2);
    for (const [, filled, rest] of bars) expect(filled!.length + rest!.length).toBe(30);
    const done = bars.map(([, , , count]) => Number(count));
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(bars.at(-1)!.slice(1)).toEqual(['█'.repeat(30), '', `${pages + 2}`, `${pages + 2}`, ', 1 failed']);
    // What follows the last bar erases it first.
    const after = text.slice(bars.at(-1)!.index + bars.at(-1)![0].length);
    expect(after).toMatch(/^\r\x1b\[K/);
    expect(stripVTControlCharacters(after)).toContain(summary);
  });

  it('prints no bar elsewhere, and says what failed and what was skipped, and why', async () => {
    const { code, stdout, stderr } = await runCli(['index', makeDocuments()], { DATA_DIR: temporaryFolder() });
    expect([code, stdout]).toEqual([1, `${summary}\n`]);
    expect(stderr).not.toMatch(/[█░\r]/);
    expect(stderr).toMatch(/^failed: \S*broken\.pdf: \S/m);
    expect(stderr).toMatch(/^skipped: 1 \(.+\)$/m);
  });
});
