/** Names of files in an archive, as the other files of it refer to them. */
import { posix } from 'node:path';

/** The name of the file that `from` refers to by `href`; never outside the archive, because names are only looked up. */
export function pathInArchive(from: string, href: string): string {
  const bare = href.split('#', 1)[0]!;
  const decoded = URL.canParse(`file:///${bare}`) ? decode(bare) : bare;
  // A target of an Office file may begin at the root of the package (ECMA-376-2, 6.5).
  return decoded.startsWith('/') ? posix.normalize(decoded).slice(1) : posix.join(posix.dirname(from), decoded);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
