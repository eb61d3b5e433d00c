/** What to research: a request as it is, or for the run of an API, its design filled with the inputs. */
import { type OutputFormat, templateLeaves } from '../../../protocol/index.ts';
import { preview } from '../../../protocol/preview.ts';
import type { Caller } from '../../access/identity.ts';
import { invalid } from '../../base/errors.ts';
import type { ApiRun } from '../../designs/api-run.ts';
import type { Designs } from '../../designs/designs.ts';
import type { ExpectedTemplate, ForeignRequestFields } from '../calls.ts';
import type { Reach } from '../sources/reach.ts';
import type { ParsedSearch } from './parse-search.ts';

/** What to research. `parts` and `api` are set for the run of an API. */
export type SearchSpec = Pick<ApiRun, 'request'> &
  Partial<ApiRun> &
  ForeignRequestFields & {
    /** What it may reach, as it was when the search was stored. */
    readonly reach?: Reach | undefined;
  };

/** Rejects with 404 for an API that the caller cannot run, and with 422 for inputs or an expected template that do not match it. */
export async function specify(
  search: ParsedSearch,
  { account_id }: Caller,
  designs: Pick<Designs, 'buildRun' | 'buildRunOfText'>,
): Promise<SearchSpec> {
  if ('request' in search) return search;
  const { name, inputs, isText, expected, background, webhook, at } = search.run;
  const run = isText
    ? await designs.buildRunOfText(account_id, name, (inputs as { text: string }).text, at)
    : await designs.buildRun(account_id, name, inputs, at);
  if (expected !== undefined) checkTemplate(run.request.output_format, expected);
  const options = { ...(background === true ? { background } : {}), ...(webhook === undefined ? {} : { webhook }) };
  return { ...run, request: { ...run.request, ...options } };
}

/** Throws a 422 where a template has other fields than is expected. Their order does not matter. */
function checkTemplate(own: OutputFormat | undefined, { template, at }: ExpectedTemplate): void {
  if (own === undefined)
    throw invalid(
      [...at],
      'expected no schema: this published API answers with text, and has no template',
      'value_error',
    );
  const fields = fieldsOf(own);
  const asked = fieldsOf(template);
  const missing = fields.find((field) => !asked.includes(field));
  const unknown = asked.find((field) => !fields.includes(field));
  if (missing === undefined && unknown === undefined) return;
  const got = unknown === undefined ? `none for ${missing}` : unknown;
  const msg = `expected the fields of the template of this published API, ${preview(own)}; got ${got}`;
  throw invalid([...at], msg, 'value_error');
}

/** Each field with its type. */
function fieldsOf(template: OutputFormat): string[] {
  return templateLeaves(template).map(({ path, type }) => `${JSON.stringify(path)}: ${type}`);
}
