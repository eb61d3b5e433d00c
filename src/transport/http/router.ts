/** Which call of the routes table a request is for. A HEAD is a GET whose body is not sent. */
import { type RouteName, routes } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Exchange } from '../exchange.ts';

export interface Match {
  readonly route: RouteName;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** `headers` go with the answer, whatever it will be: what is put in while the call goes on is sent too. */
export type Handle = (exchange: Exchange, headers: Record<string, string>, params: Match['params']) => Promise<void>;

interface CompiledRoute {
  readonly route: RouteName;
  readonly method: string;
  readonly pattern: RegExp;
}

const compiled: readonly CompiledRoute[] = Object.entries(routes).map(([route, { method, path }]) => ({
  route: route as RouteName,
  method,
  pattern: new RegExp(`^${path.replace(/\./g, '\\.').replace(/(.)\{(\w+)\}/g, parameter)}$`),
}));

/** Behind text of its segment a parameter may be empty: "/v" is a version that is no number, not another path. */
function parameter(_: string, before: string, name: string): string {
  return `${before}(?<${name}>[^/]${before === '/' ? '+' : '*'})`;
}

/** Throws `not_found` for an unknown path and `method_not_allowed` (with `Allow`) for a known one. */
export function matchRoute(method: string, path: string): Match {
  const fitting = compiled.filter(({ pattern }) => pattern.test(path));
  if (fitting.length === 0) throw new AppError('not_found', `There is no path ${JSON.stringify(path.slice(0, 200))}.`);
  const found = fitting.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
  if (found !== undefined) return { route: found.route, params: decode(found.pattern.exec(path)?.groups ?? {}, path) };
  const allowed = fitting.flatMap((each) => (each.method === 'GET' ? ['GET', 'HEAD'] : [each.method]));
  throw new AppError(
    'method_not_allowed',
    `Expected ${allowed.join(' or ')} for ${path}; got ${method.slice(0, 20)}.`,
    {
      headers: { allow: allowed.join(', ') },
    },
  );
}

function decode(groups: Record<string, string>, path: string): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new AppError('not_found', `There is no path ${JSON.stringify(path.slice(0, 200))}.`);
  }
}
