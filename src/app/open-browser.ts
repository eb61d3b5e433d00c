/** Opens an address in the browser of the user who started the server. */
import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // The empty argument is the title of the window, which `start` takes first.
  win32: ['cmd', '/c', 'start', '""'],
};

/** Calls `onFailure` where no program opens it, as on a machine without a screen. Does not wait for the browser. */
export function openBrowser(url: string, onFailure: () => void): void {
  const [command = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', onFailure);
  child.on('exit', (code) => {
    if (code !== 0) onFailure();
  });
  child.unref();
}
