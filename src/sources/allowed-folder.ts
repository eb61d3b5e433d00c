/** Which folders of the server a call may index: those below the operator's, with every symbolic link resolved. */
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';

/** The real path of a folder; undefined unless it is one of the roots or below one. */
export function allowedFolder(path: string, roots: readonly string[]): string | undefined {
  const real = isAbsolute(path) ? realFolder(path) : undefined;
  if (real === undefined) return undefined;
  const isBelow = roots.some((root) => {
    const top = realFolder(root);
    return top !== undefined && (real === top || real.startsWith(top.endsWith(sep) ? top : top + sep));
  });
  return isBelow ? real : undefined;
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
