/** The refusals of calls for drafts and versions. */
import { designLimits } from '../../protocol/index.ts';
import { AppError, invalid } from '../base/errors.ts';

/** The account has no draft with this id or stub: a 404. */
export function noDraft(name: string): AppError {
  return new AppError('not_found', `There is no designed API ${JSON.stringify(name)} for this account.`);
}

/** No version of this stub is published, or none with this number: a 404. */
export function notPublished(api_stub: string, number?: number): AppError {
  const which = number === undefined ? 'published API' : `version ${number} of a published API`;
  return new AppError('not_found', `There is no ${which} ${JSON.stringify(api_stub)}.`);
}

/** Versions of this stub are published, but none is still offered: a 404. */
export function allRetired(api_stub: string): AppError {
  const shown = JSON.stringify(api_stub);
  return new AppError(
    'not_found',
    `Every version of ${shown} is retired; each still runs by its number, as /v{version}.`,
  );
}

/** The account has not published this version: a 404. */
export function notPublishedBy(api_stub: string, version: number): AppError {
  const message = `There is no version ${version} of ${JSON.stringify(api_stub)} that this account has published.`;
  return new AppError('not_found', message);
}

/** Another draft of the account has this stub: a 422. */
export function stubTaken(api_stub: string): AppError {
  const msg = `expected a stub that no other design of the account has; got ${JSON.stringify(api_stub)}`;
  return invalid(['body', 'api_stub'], msg, 'value_error');
}

/** The account has published as many APIs as it may: a 422. */
export function tooManyPublished(): AppError {
  const msg = `expected at most ${designLimits.published_per_account} published APIs per account`;
  return invalid(['body', 'api_stub'], msg, 'too_long');
}

/** Another account has published this stub: a 422. */
export function stubPublished(api_stub: string): AppError {
  const msg = `expected a stub that nobody else has published; got ${JSON.stringify(api_stub)}`;
  return invalid(['body', 'api_stub'], msg, 'value_error');
}
