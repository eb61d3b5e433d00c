/** The scopes a key can be restricted to. A key without scopes may do everything; what no scope covers, every key may do. */
import type { KeyScope } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import type { Caller } from './identity.ts';

const scopes = {
  search: 'ask questions, read pages and list searches',
  run: 'run designed and published APIs',
  design: 'make, change and publish designs',
  webhooks: 'manage webhooks',
  sources: 'add, upload and remove sources',
} as const satisfies Record<KeyScope, string>;
export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as Scope[];

/** Whether the caller's key has the scope. */
export function mayUse({ scopes: own }: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return own.length === 0 || own.includes(scope);
}

/** Throws `forbidden` if the caller's key is restricted to other scopes. */
export function checkScope(caller: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (mayUse(caller, scope)) return;
  throw new AppError(
    'forbidden',
    `This key may not ${scopes[scope]}: it is restricted to ${caller.scopes.join(', ')}.`,
  );
}
