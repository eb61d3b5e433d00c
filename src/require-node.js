/**
 * Stops an old Node with one sentence, before it meets syntax or a native module that it cannot load. Plain JavaScript of the
 * first Node with modules, because an old one has to run it.
 */

/** As `engines` in package.json. */
const oldest = '20.20';

/** Whether this Node can run Citewire; if not, says so, and the process ends with exit code 1. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
  const isEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (isEnough) return true;
  process.stderr.write(`citewire: expected Node ${oldest} or newer; got ${process.versions.node}.\n`);
  process.exitCode = 1;
  return false;
}
