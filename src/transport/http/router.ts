/** Finds the route of a request in the routes table. A HEAD is a GET whose body is not sent. */
import { type DoorName, doors, type RouteName, routeOf, routes } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Context } from './context.ts';

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The path parameters of a route, percent-decoded. */
export type Params<Route extends RouteName> = Readonly<Record<ParamNames<(typeof routes)[Route]['path']>, string>>;

/** Answers the calls of one route through their context. */
export type RouteHandler<Route extends RouteName> = (ctx: Context, params: Params<Route>) => Promise<void> | void;

export type RouteHandlers = { readonly [Route in RouteName]: RouteHandler<Route> };

export interface Match {
  readonly route: RouteName;
  readonly params: Readonly<Record<string, string>>;
}

interface CompiledRoute {
  readonly route: RouteName;
  readonly method: string;
  readonly pattern: RegExp;
}

/** Paths that people give their client, some of which end each address in a slash. */
const endsInSlash: ReadonlySet<string> = new Set([routes.mcp.path]);

const compiled: readonly CompiledRoute[] = Object.entries(routes).map(([route, { method, path }]) => ({
  route: route as RouteName,
  method,
  pattern: new RegExp(
    `^${(endsInSlash.has(path) ? `${path}/?` : path).replace(/\./g, '\\.').replace(/(.)\{(\w+)\}/g, parameter)}$`,
  ),
}));

/** A parameter that follows text of its segment may be empty: "/v" is an invalid version, not another path. */
function parameter(_: string, before: string, name: string): string {
  return `${before}(?<${name}>[^/]${before === '/' ? '+' : '*'})`;
}

const namedDoors = Object.entries(doors) as [DoorName, { readonly prefix?: string }][];

/** The door whose errors a path gets: that of its routes, whatever the method, else that of its prefix, else `native`. */
export function doorOfPath(path: string): DoorName {
  const found = compiled.find(({ pattern }) => pattern.test(path));
  if (found !== undefined) return routeOf(found.route)?.door ?? 'native';
  return namedDoors.find(([, { prefix }]) => prefix !== undefined && path.startsWith(prefix))?.[0] ?? 'native';
}

/** Undefined for an unknown path. Throws `method_not_allowed` (with `Allow`) for another method of a known one. */
export function matchRoute(method: string, path: string): Match | undefined {
  const fitting = compiled.filter(({ pattern }) => pattern.test(path));
  if (fitting.length === 0) return undefined;
  const found = fitting.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
  if (found !== undefined) return { route: found.route, params: decode(found.pattern.exec(path)?.groups ?? {}, path) };
  const allowed = fitting.flatMap((each) => (each.method === 'GET' ? ['GET', 'HEAD'] : [each.method]));
  const message = `Expected ${allowed.join(', ')} for ${path}; got ${method.slice(0, 20)}.`;
  throw new AppError('method_not_allowed', message, { headers: { allow: allowed.join(', ') } });
}

/** The error of an unknown path. */
export function unknownPath(path: string): AppError {
  return new AppError('not_found', `Unknown path ${JSON.stringify(path.slice(0, 200))}.`);
}

/** Answers with the handler of the matched route. */
export async function callHandler(handlers: RouteHandlers, ctx: Context, { route, params }: Match): Promise<void> {
  // The pattern of a route captures exactly the parameters of its path.
  await handlers[route](takesSession(route) ? ctx : withoutSession(ctx), params as Params<typeof route>);
}

function takesSession(route: RouteName): boolean {
  return routeOf(route)?.keyOnly === undefined;
}

function withoutSession({ call, ...ctx }: Context): Context {
  const { browser: _, ...from } = call.from;
  return { ...ctx, call: { ...call, from } };
}

function decode(groups: Record<string, string>, path: string): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw unknownPath(path);
  }
}
