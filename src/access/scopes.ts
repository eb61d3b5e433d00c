/** What a key may be kept to. A key without scopes may do everything; what is not named here, every key may. */
import type { KeyScope } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import type { Caller } from './identity.ts';

export const scopes = {
  search: 'ask questions, read pages and list searches',
  run: 'run designed and published APIs',
  design: 'make, change and publish designs',
} as const satisfies Record<KeyScope, string>;
export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as Scope[];

/** Throws `forbidden` for a key that is kept to other things. */
export function checkScope(caller: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (caller.scopes.length === 0 || caller.scopes.includes(scope)) return;
  throw new AppError('forbidden', `This key may not ${scopes[scope]}: it is kept to ${caller.scopes.join(', ')}.`);
}
