/** The search providers in the settings: each gets one query. */
import { everySource } from '../../../protocol/source-rules.ts';
import { defaultWiki, openProviders } from '../../app/parts/open-providers.ts';
import { createTrustedFetch } from '../../web/fetch/trusted-fetch.ts';
import { type Check, type Finding, ok, problem, reasonOf, skipped, warning } from './check.ts';
import { createClockWatch } from './clock.ts';

/** A question that any of them finds something for. */
const query = { text: 'World Wide Web', limit: 1, rules: everySource } as const;

/** Whether each provider answers a query; that of Wikipedia, which nobody configured, need not. */
export const checkProviders: Check = async ({ config: { providers }, signal, reportTime }) => {
  const isOptional = providers.mediawiki === undefined;
  const trusted = createTrustedFetch();
  const watched = createClockWatch(reportTime)(trusted.fetch);
  // Not optional here: it is to be asked now.
  const mediawiki = providers.mediawiki ?? { ...defaultWiki, optional: false };
  const opened = openProviders({ ...providers, mediawiki }, () => watched);
  try {
    if (opened.length === 0) return skipped('None is configured: only the index is searched.');
    const tried = opened.map(async ({ name, search }): Promise<Finding> => {
      try {
        const hits = await search(query, signal);
        return ok(`${name} answers${hits.length === 0 ? ', although it found nothing' : ''}.`);
      } catch (error) {
        const said = `${name}: ${reasonOf(error)}.`;
        if (isOptional && name === 'mediawiki') {
          return warning(`${said} It is optional.`, 'Without a network, set MEDIAWIKI_URL=off to skip it.');
        }
        return problem(said, 'Correct its URL or key, or remove its settings: docs/models.md.');
      }
    });
    return await Promise.all(tried);
  } finally {
    await trusted.close();
  }
};
