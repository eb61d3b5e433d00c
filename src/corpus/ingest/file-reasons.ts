/** Why a file could not be read, in words. */

/** Why something failed, as a clause for a report: `it does not exist`, or the error's own message. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Node reads what is not UTF-8 in a name as U+FFFD, and finds no file with that.
  if (code === 'ENOENT' && error instanceof Error && error.message.includes('\ufffd')) return 'its name is not UTF-8';
  return fileReasons[code] ?? (error instanceof Error ? error.message : String(error));
}

const fileReasons: Record<string, string> = {
  EACCES: 'it cannot be read (permission denied)',
  EPERM: 'it cannot be read (permission denied)',
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
};
