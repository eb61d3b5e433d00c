/**
 * Finds the addresses of hosts that callers and pages name. The system's resolver would hold one of the process's few
 * threads until it has an answer, so that a few names whose name server never answers kept all others from being resolved,
 * those of models and providers too. Here the name servers are asked directly, which takes no thread, for a limited time.
 * Only what the machine itself knows is left to the system: its hosts file and names without a dot.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';

/** How long a name server has for its first answer, and all of them for a name, ms; set by hand, within what connecting may take. */
const tryMs = 800;
const totalMs = 2_400;
/** How long IPv4 addresses wait for those of IPv6, which some name servers never answer for, ms; set by hand. */
const otherFamilyMs = 300;
/** How long IPv6 addresses wait for those of IPv4, ms: the question may have been lost and is asked again. Set by hand, within `totalMs`. */
const retryMs = 1_400;

const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/**
 * A lookup that always gives all addresses, IPv4 first: without IPv6, its addresses would only cost attempts. It fails as the system's
 * does: with the code ENOTFOUND for a name without addresses, EAI_AGAIN where that could not be found out. `nameServers`,
 * `address` or `address:port`, replace those that the machine is configured with.
 */
export function createHostLookup(nameServers?: readonly string[]): LookupFunction {
  const isInHostsFile = createHostsFile();

  async function find(host: string, options: Parameters<LookupFunction>[1]): Promise<LookupAddress[]> {
    const fromSystem = () => dns.lookup(host, { ...options, all: true });
    const name = host.toLowerCase().replace(/\.$/, '');
    if (!name.includes('.') || (await isInHostsFile(name))) return fromSystem();
    return (await askNameServers(name, nameServers)) ?? fromSystem();
  }

  return (host, options, callback) => {
    find(host, options).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, '', 0),
    );
  };
}

/**
 * The addresses that the name servers give; undefined where there is none to ask, so that only the system may know, as in some
 * containers. One that does not answer is another matter: the system would wait for it too.
 */
async function askNameServers(name: string, nameServers?: readonly string[]): Promise<LookupAddress[] | undefined> {
  // A new one for each name reads the configuration of the machine, which may have changed, and has a port of its own.
  const resolver = new dns.Resolver({ timeout: tryMs, tries: 2 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const began = performance.now();
  const timer = setTimeout(() => resolver.cancel(), totalMs);
  const found: LookupAddress[] = [];
  const add = (family: 4 | 6, addresses: readonly string[]) => {
    found.push(...addresses.map((address) => ({ address, family })));
    if (addresses.length > 0) setTimeout(() => resolver.cancel(), family === 4 ? otherFamilyMs : retryMs).unref();
  };
  const answers = await Promise.allSettled([
    resolver.resolve4(name).then((addresses) => add(4, addresses)),
    resolver.resolve6(name).then((addresses) => add(6, addresses)),
  ]);
  clearTimeout(timer);
  if (found.length > 0) return found.sort((one, other) => one.family - other.family);
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const codes = failures.map((failure) => String(failure?.code));
  if (codes.every((code) => code === 'ECONNREFUSED') && performance.now() - began < tryMs) return undefined;
  const hasNone = codes.every((code) => code === 'ENODATA') || codes.includes('ENOTFOUND');
  const code = hasNone ? 'ENOTFOUND' : 'EAI_AGAIN';
  throw Object.assign(new Error(`${code} ${name}`, { cause: failures[0] }), { code });
}

/** Whether a name is in the hosts file, which is read again when it has changed. */
function createHostsFile(): (name: string) => Promise<boolean> {
  let known: { readonly changedMs: number; readonly names: ReadonlySet<string> } | undefined;
  return async (name) => {
    try {
      const { mtimeMs } = await stat(hostsFile);
      if (known?.changedMs !== mtimeMs)
        known = { changedMs: mtimeMs, names: namesIn(await readFile(hostsFile, 'utf8')) };
      return known.names.has(name);
    } catch {
      // A machine need not have one.
      return false;
    }
  };
}

/** The names in lines "address name name # comment", in lower case. */
function namesIn(hosts: string): ReadonlySet<string> {
  return new Set(
    hosts.split('\n').flatMap((line) => line.replace(/#.*/, '').toLowerCase().trim().split(/\s+/).slice(1)),
  );
}
