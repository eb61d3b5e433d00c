/**
 * What a server says when it is started at a terminal: one screen with the address, the key, the link, what answers and what
 * to try next. Anywhere else it prints plain lines that scripts can read.
 */
import { reachableUrl } from '../base/addresses.ts';
import type { Config } from '../base/config.ts';
import { commandName, version } from '../base/own-package.ts';

export interface FirstScreen {
  /** The base URL of the server, with the address that it listens on. */
  readonly url: string;
  /** The development key, at the first start only. */
  readonly key: string | undefined;
  /** The account that another key would be for. */
  readonly account: string;
  /** A sign-in link; undefined if there is no development account. */
  readonly link: string | undefined;
  /** A question that the index answers. */
  readonly example: string;
  readonly config: Pick<Config, 'model' | 'providers'>;
  readonly hasColour: boolean;
}

/** The screen, at most 24 lines. */
export function firstScreen({ url, key, account, link, example, config, hasColour }: FirstScreen): string {
  const style = (codes: string, text: string) => (hasColour ? `\x1b[${codes}m${text}\x1b[0m` : text);
  const row = (name: string, value: string, more?: string) =>
    `  ${style('90', name.padEnd(9))}${value}${more === undefined ? '' : `\n${' '.repeat(11)}${style('90', more)}`}\n`;
  const [engine, sources] = enginesOf(config);
  const steps = nextSteps(example, config);
  const reachable = reachableUrl(url);
  return [
    `\n  ${style('1', `Citewire ${version}`)}\n\n`,
    row('Address', style('1;36', reachable), reachable === url ? undefined : 'and every other address of this machine'),
    key === undefined
      ? row('Key', 'shown when it was created', `another: ${commandName} keys create --account ${account}`)
      : row('Key', style('1', key), 'shown only now'),
    link === undefined
      ? row('Sign in', `${commandName} login --account <id>`)
      : row('Sign in', `once, within 10 minutes; another link: ${commandName} login`),
    ...(link === undefined ? [] : [`\n${link}\n\n`]),
    row('Answers', engine, sources),
    `\n  ${style('90', 'Try next')}\n`,
    ...steps.map((step, at) => `  ${at + 1}  ${step}\n`),
    `\n  ${style('90', `Ctrl+C stops the server. Something not working? ${commandName} doctor`)}\n\n`,
  ].join('');
}

/** Which engine writes the answers, and where they come from. */
function enginesOf({ model, providers }: FirstScreen['config']): [string, string] {
  const engine = model === undefined ? 'No model: quotes only' : `${model.model}, and quotes only if it fails`;
  const names = Object.entries({ ...providers, searchesPerMinute: undefined, mediawiki: undefined })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name.replace(/Url$/, ''));
  const { mediawiki: wiki } = providers;
  if (wiki !== 'off')
    names.push(wiki === undefined || wiki.optional ? 'Wikipedia where it is reachable' : new URL(wiki.url).host);
  return [engine, `from the index${names.length === 0 ? '' : `, ${names.join(', ')}`}`];
}

function nextSteps(example: string, { model }: FirstScreen['config']): string[] {
  return [
    `Open the link and ask: ${example}`,
    `Index your own documents: ${commandName} index <folder or URL>`,
    model === undefined
      ? 'Connect a model that writes the answers: set MODEL, see docs/models.md'
      : 'Call it from a program: docs/openai.md, docs/client.md, docs/mcp.md',
  ];
}
