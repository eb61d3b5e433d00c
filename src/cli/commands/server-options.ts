/** The options of commands that call a running server or work for one account of the store, and the URLs that they take. */
import { InvalidArgumentError, Option } from 'commander';

/** `--server`, with what it is for. */
export function serverOption(description: string): Option {
  return new Option('--server <url>', description).argParser(readBaseUrl);
}

/** `--key`; without it, the key is that of the environment, where neither `ps` nor the shell's history shows it. */
export function keyOption(): Option {
  return new Option('--key <key>', 'API key for that server').env('CITEWIRE_KEY');
}

/** `--account`, with what it is for. */
export function accountOption(description: string): Option {
  return new Option('--account <id>', `${description}; default: the only account, or the one created at first start`);
}

/** The URL, ending in a slash. Throws InvalidArgumentError if nothing can be below it. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBase =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (!isBase) throw new InvalidArgumentError('Expected an http(s) URL without a user, query or fragment.');
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
