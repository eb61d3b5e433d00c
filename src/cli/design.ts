/** `citewire design`: designs from a shell. What a script wants, ids, numbers and JSON, stands alone on standard output. */
import { Design, type DesignInput } from '../../protocol/index.ts';
import type { Config } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { type ApiAsked, type Desk, type DeskOptions, openDesk } from './design-backend.ts';
import { readJsonFile } from './json-file.ts';
import { asRefused } from './search-remote.ts';
import { showSearch } from './show-search.ts';

export function listDesigns(options: DeskOptions, config: Config): Promise<number> {
  return atDesk(options, config, async (desk) => {
    for (const { api_id, api_stub, name, published_version: version, updated_at } of await desk.drafts()) {
      const published = version === undefined ? 'not published' : `published v${version}`;
      print(api_id, api_stub, name, `changed ${updated_at}`, published);
    }
  });
}

/** Makes the draft of the file's stub; where there is one, it becomes what the file says. */
export function importDesign(file: string, options: DeskOptions, config: Config): Promise<number> {
  return atDesk(options, config, async (desk) => {
    const design = bareDesign(await readJsonFile(file));
    const before = (await desk.drafts()).find(({ api_stub }) => api_stub === design.api_stub);
    const kept =
      before === undefined ? await desk.create(design) : await desk.change(before.api_id, { ...blank, ...design });
    process.stderr.write(`Design ${kept.api_stub} is ${before === undefined ? 'made' : 'changed'}.\n`);
    print(kept.api_id);
  });
}

/** As a file that `import` takes; with a version, as that was published. */
export function exportDesign(
  name: string,
  { version, ...options }: DeskOptions & { readonly version?: number },
  config: Config,
): Promise<number> {
  return atDesk(options, config, async (desk) => {
    const { api_id } = await find(desk, name);
    const design = version === undefined ? await desk.draft(api_id) : await publishedDesign(desk, api_id, version);
    process.stdout.write(`${JSON.stringify(bareDesign(design), null, 2)}\n`);
  });
}

export function publishDesign(name: string, options: DeskOptions, config: Config): Promise<number> {
  return atDesk(options, config, async (desk) => {
    const { api_stub, version, examples } = await desk.publish((await find(desk, name)).api_id);
    for (const { inputs, status } of examples) process.stderr.write(`example ${JSON.stringify(inputs)}: ${status}\n`);
    print(`${api_stub}/v${version}`);
  });
}

export function listVersions(name: string, options: DeskOptions, config: Config): Promise<number> {
  return atDesk(options, config, async (desk) => {
    for (const { api_stub, version, published_at, content_hash } of await desk.versions(
      (await find(desk, name)).api_id,
    )) {
      print(`${api_stub}/v${version}`, `published ${published_at}`, content_hash);
    }
  });
}

export function deleteDesign(name: string, options: DeskOptions, config: Config): Promise<number> {
  return atDesk(options, config, async (desk) => {
    const { api_id, api_stub } = await find(desk, name);
    await desk.delete(api_id);
    process.stderr.write(`Design ${api_stub} is deleted; what was published of it stays.\n`);
  });
}

export function browsePublished(words: readonly string[], options: DeskOptions, config: Config): Promise<number> {
  return atDesk(options, config, async (desk) => {
    for (const { api_stub, version, name, owner, description = '' } of await desk.browse(words.join(' '))) {
      print(`${api_stub}/v${version}`, name, `by ${owner}`, description);
    }
  });
}

export interface RunOptions extends DeskOptions {
  readonly input?: readonly string[];
  readonly version?: ApiAsked['version'];
  readonly json?: boolean;
}

/** Without a version, the draft of that stub where there is one, else the newest version. */
export async function runDesign(api_stub: string, options: RunOptions, config: Config): Promise<number> {
  let code = 1;
  await atDesk(options, config, async (desk) => {
    const hasDraft = async () => (await desk.drafts()).some((draft) => draft.api_stub === api_stub);
    const version = options.version ?? ((await hasDraft()) ? 'draft' : 'newest');
    const api: ApiAsked = { api_stub, version };
    const inputs = readInputs(options.input ?? [], await desk.inputsOf(api));
    code = await showSearch(desk.run(api, inputs), options.json === true);
  });
  return code;
}

async function atDesk(options: DeskOptions, config: Config, work: (desk: Desk) => Promise<void>): Promise<number> {
  const desk = await openDesk(options, config);
  try {
    await work(desk);
    return 0;
  } catch (error) {
    throw inFull(asRefused(error));
  } finally {
    await desk.close();
  }
}

/** With a line for each place at fault. */
function inFull(error: unknown): unknown {
  if (!(error instanceof AppError) || error.details.issues === undefined) return error;
  const lines = error.details.issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  return new AppError(error.code, lines.join('\n'), error.details);
}

/** By stub or id. */
async function find(desk: Desk, name: string) {
  const found = (await desk.drafts()).find(({ api_id, api_stub }) => api_id === name || api_stub === name);
  if (found !== undefined) return found;
  throw new AppError(
    'not_found',
    `There is no design ${JSON.stringify(name)}; \`citewire design list\` shows those there are.`,
  );
}

async function publishedDesign(desk: Desk, api_id: string, number: number): Promise<object> {
  const found = (await desk.versions(api_id)).find(({ version }) => version === number);
  if (found === undefined) throw new AppError('not_found', `There is no version ${number}.`);
  return found.design;
}

/** What a design is when nothing is said of it. */
const blank = {
  ...{ description: null, output_format: null, source_whitelist: null, source_blacklist: null, max: null },
  ...{ inputs: {}, effort: 'balanced', examples: [] },
};

/** Without what the server adds, so that what was exported, or read from it, can be imported. */
function bareDesign(design: unknown): Record<string, unknown> {
  if (typeof design !== 'object' || design === null || Array.isArray(design)) {
    throw new AppError('validation_error', 'Expected a file with one JSON object, the design.');
  }
  const added = ['api_id', 'created_at', 'updated_at', 'published_version'];
  const fields = Object.entries(design).filter(([field]) => !added.includes(field));
  // In the order in which the protocol names them.
  const order = Object.keys(Design.shape);
  return Object.fromEntries(fields.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** `name=value`, each value of the type that the design says. */
function readInputs(given: readonly string[], inputs: Readonly<Record<string, DesignInput>>) {
  return Object.fromEntries(
    given.map((text) => {
      const [name = '', ...rest] = text.split('=');
      if (rest.length === 0)
        throw new AppError('validation_error', `Expected --input name=value; got ${JSON.stringify(text)}.`);
      return [name, typedValue(rest.join('='), Object.hasOwn(inputs, name) ? inputs[name]!.type : 'string')];
    }),
  );
}

/** What is no value of the type stays text, and is refused as such. */
function typedValue(text: string, type: DesignInput['type']): string | number | boolean {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function print(...cells: string[]): void {
  process.stdout.write(`${cells.join('\t').trimEnd()}\n`);
}
