/** A temporary folder that is removed after the test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'citewire-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
