/**
 * `citewire design`. Ids, versions and JSON that scripts need are printed alone on standard output. Each command resolves
 * with its exit code and rejects with an AppError that has a line per issue.
 */
import { Design, type DesignInput } from '../../../protocol/index.ts';
import type { Config } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import { isObject } from '../../base/values/is-object.ts';
import { toAppError } from '../ask/search-remote.ts';
import { showSearch } from '../ask/show-search.ts';
import { readJsonFile } from '../given-file.ts';
import { printRow } from '../print-row.ts';
import { type ApiVersion, type DesignBackend, type DesignBackendOptions, openDesignBackend } from './design-backend.ts';

/** Prints one tab-separated line per draft: id, stub, name, last change and published version. */
export function listDesigns(options: DesignBackendOptions, config: Config): Promise<number> {
  return withBackend(options, config, async (backend) => {
    for (const { api_id, api_stub, name, published_version: version, updated_at } of await backend.drafts()) {
      const published = version === undefined ? 'not published' : `published v${version}`;
      printRow([api_id, api_stub, name, `changed ${updated_at}`, published]);
    }
  });
}

/** Creates a draft from the file, or replaces the draft with the same stub. Prints only its id. */
export function importDesign(file: string, options: DesignBackendOptions, config: Config): Promise<number> {
  return withBackend(options, config, async (backend) => {
    const design = bareDesign(await readJsonFile(file));
    const before = (await backend.drafts()).find(({ api_stub }) => api_stub === design.api_stub);
    const saved =
      before === undefined
        ? await backend.create(design)
        : await backend.change(before.api_id, { ...blank, ...design });
    process.stderr.write(`Design ${saved.api_stub} ${before === undefined ? 'created' : 'updated'}.\n`);
    printRow([saved.api_id]);
  });
}

/** Prints the draft, or a published version, as JSON for `import`. `name` is a stub or an id. */
export function exportDesign(
  name: string,
  { version, ...options }: DesignBackendOptions & { readonly version?: number },
  config: Config,
): Promise<number> {
  return withBackend(options, config, async (backend) => {
    const { api_id } = await find(backend, name);
    const design =
      version === undefined ? await backend.draft(api_id) : await publishedDesign(backend, api_id, version);
    process.stdout.write(`${JSON.stringify(bareDesign(design), null, 2)}\n`);
  });
}

/** Prints `stub/vN` of the new version. Rejects with `validation_error` when an example fails. */
export function publishDesign(name: string, options: DesignBackendOptions, config: Config): Promise<number> {
  return withBackend(options, config, async (backend) => {
    const { api_stub, version, examples } = await backend.publish((await find(backend, name)).api_id);
    for (const { inputs, status } of examples) process.stderr.write(`example ${JSON.stringify(inputs)}: ${status}\n`);
    printRow([`${api_stub}/v${version}`]);
  });
}

/** Replaces the draft with one of its versions; the stub stays. Prints only its id. */
export function restoreVersion(
  name: string,
  version: number,
  options: DesignBackendOptions,
  config: Config,
): Promise<number> {
  return withBackend(options, config, async (backend) => {
    const { api_id, api_stub } = await backend.restore((await find(backend, name)).api_id, version);
    process.stderr.write(`The draft of ${api_stub} is version ${version} again.\n`);
    printRow([api_id]);
  });
}

/** Retires a version, also of a deleted design, or offers it again with `undo`. Prints `stub/vN`. */
export function retireVersion(
  api_stub: string,
  version: number,
  { undo = false, ...options }: DesignBackendOptions & { readonly undo?: boolean },
  config: Config,
): Promise<number> {
  return withBackend(options, config, async (backend) => {
    const { retired_at } = await backend.retire(api_stub, version, !undo);
    const outcome = retired_at === undefined ? 'is offered' : 'is retired; calls that name this version still work';
    process.stderr.write(`Version ${version} of ${api_stub} ${outcome}.\n`);
    printRow([`${api_stub}/v${version}`]);
  });
}

/** Prints one tab-separated line per version, newest first: `stub/vN`, time, content hash, and `retired` if it is. */
export function listVersions(name: string, options: DesignBackendOptions, config: Config): Promise<number> {
  return withBackend(options, config, async (backend) => {
    const { api_id } = await find(backend, name);
    for (const { api_stub, version, published_at, content_hash, retired_at } of await backend.versions(api_id)) {
      const retired = retired_at === undefined ? '' : 'retired';
      printRow([`${api_stub}/v${version}`, `published ${published_at}`, content_hash, retired]);
    }
  });
}

/** Deletes the draft; published versions stay available. */
export function deleteDesign(name: string, options: DesignBackendOptions, config: Config): Promise<number> {
  return withBackend(options, config, async (backend) => {
    const { api_id, api_stub } = await find(backend, name);
    await backend.delete(api_id);
    process.stderr.write(`Design ${api_stub} deleted. Its published versions stay available.\n`);
  });
}

/** Prints one tab-separated line per published API that contains all the words. */
export function browsePublished(
  words: readonly string[],
  options: DesignBackendOptions,
  config: Config,
): Promise<number> {
  return withBackend(options, config, async (backend) => {
    for (const { api_stub, version, name, owner, description = '' } of await backend.browse(words.join(' '))) {
      printRow([`${api_stub}/v${version}`, name, `by ${owner}`, description]);
    }
  });
}

export interface RunOptions extends DesignBackendOptions {
  readonly input?: readonly string[];
  readonly version?: ApiVersion['version'];
  readonly json?: boolean;
}

/** Without a version, runs the draft with that stub if there is one, else the newest version. */
export async function runDesign(api_stub: string, options: RunOptions, config: Config): Promise<number> {
  return withBackend(options, config, async (backend) => {
    const hasDraft = async () => (await backend.drafts()).some((draft) => draft.api_stub === api_stub);
    const version = options.version ?? ((await hasDraft()) ? 'draft' : 'newest');
    const api: ApiVersion = { api_stub, version };
    const inputs = readInputs(options.input ?? [], await backend.inputsOf(api));
    await showSearch(backend.run(api, inputs), options.json === true);
  });
}

async function withBackend(
  options: DesignBackendOptions,
  config: Config,
  work: (backend: DesignBackend) => Promise<void>,
): Promise<number> {
  const backend = await openDesignBackend(options, config);
  try {
    await work(backend);
    return 0;
  } catch (error) {
    throw withIssueLines(toAppError(error));
  } finally {
    await backend.close();
  }
}

/** With one line per issue. */
function withIssueLines(error: unknown): unknown {
  if (!(error instanceof AppError) || error.details.issues === undefined) return error;
  const lines = error.details.issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  return new AppError(error.code, lines.join('\n'), error.details);
}

/** By stub or id. */
async function find(backend: DesignBackend, name: string) {
  const found = (await backend.drafts()).find(({ api_id, api_stub }) => api_id === name || api_stub === name);
  if (found !== undefined) return found;
  throw new AppError(
    'not_found',
    `Expected the stub or id of a design; got ${JSON.stringify(name)}. List them with \`citewire design list\`.`,
  );
}

async function publishedDesign(backend: DesignBackend, api_id: string, number: number): Promise<object> {
  const found = (await backend.versions(api_id)).find(({ version }) => version === number);
  if (found === undefined)
    throw new AppError(
      'not_found',
      `Expected a published version; got ${number}. List them with \`citewire design versions\`.`,
    );
  return found.design;
}

/** Resets every field that the imported file does not have. */
const blank = {
  ...{ description: null, output_format: null, source_whitelist: null, source_blacklist: null, max: null },
  ...{ collections: null, model: null },
  ...{ inputs: {}, effort: 'balanced', examples: [] },
};

/** Without the fields that the server adds, so that an exported or fetched design can be imported. */
function bareDesign(design: unknown): Record<string, unknown> {
  if (!isObject(design)) {
    throw new AppError('validation_error', 'Expected a file with one JSON object, the design.');
  }
  const added = ['api_id', 'created_at', 'updated_at', 'published_version'];
  const fields = Object.entries(design).filter(([field]) => !added.includes(field));
  // In the order of the protocol's schema.
  const order = Object.keys(Design.shape);
  return Object.fromEntries(fields.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** Parses `name=value` pairs, with values of the types in the design. */
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

/** A value that does not fit its type stays text, so that validation reports it. */
function typedValue(text: string, type: DesignInput['type']): string | number | boolean {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
