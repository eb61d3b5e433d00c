/**
 * What lists show of designs and versions, in columns of their own, so that no list reads whole documents. Versions are
 * immutable from the next statement on; existing ones get their columns before.
 */
import { sql, type Transaction } from 'kysely';
import { changesBetween, type Design } from '../../../protocol/index.ts';
import type { Migration } from '../migrate.ts';
import type { Tables } from '../tables.ts';

export const shown: Migration = {
  name: '007-shown',
  async up(trx, { name, text }) {
    const add = (table: keyof Tables, column: string, empty: string) =>
      trx.schema
        .alterTable(table)
        .addColumn(column, text, (of) => of.notNull().defaultTo(empty))
        .execute();
    await add('designs', 'summary', '{}');
    await add('api_versions', 'summary', '{}');
    await add('api_versions', 'interface', '{}');
    await trx.schema.alterTable('api_versions').addColumn('example', text).execute();
    await add('api_versions', 'changes', '[]');
    await fillDesigns(trx);
    const [drop, create] = pause[name];
    await sql.raw(drop).execute(trx);
    await fillVersions(trx);
    await sql.raw(create).execute(trx);
  },
};

/** The trigger of migration 003 that refuses updates is away while the columns are filled, inside of the transaction. */
const pause = {
  sqlite: [
    'drop trigger api_versions_never_change',
    `create trigger api_versions_never_change before update on api_versions
       begin select raise(abort, 'a published version never changes'); end`,
  ],
  postgres: [
    'drop trigger api_versions_never_change on api_versions',
    `create trigger api_versions_never_change before update on api_versions
       for each statement execute function refuse('a published version never changes')`,
  ],
} as const;

async function fillDesigns(trx: Transaction<Tables>): Promise<void> {
  for (const { api_id } of await trx.selectFrom('designs').select('api_id').execute()) {
    const of = trx.selectFrom('designs').select('design').where('api_id', '=', api_id);
    const { design } = await of.executeTakeFirstOrThrow();
    const { name, description } = JSON.parse(design) as Design;
    const summary = JSON.stringify({ name, description });
    await trx.updateTable('designs').set({ summary }).where('api_id', '=', api_id).execute();
  }
}

/** One document at a time, and that of the version before. */
async function fillVersions(trx: Transaction<Tables>): Promise<void> {
  const keys = trx.selectFrom('api_versions').select(['api_stub', 'version']).orderBy('api_stub').orderBy('version');
  let before: Design | undefined;
  for (const { api_stub, version } of await keys.execute()) {
    const { content } = await trx
      .selectFrom('api_versions')
      .select('content')
      .where('api_stub', '=', api_stub)
      .where('version', '=', version)
      .executeTakeFirstOrThrow();
    const [columns, design] = columnsOf(content, version === 1 ? undefined : before);
    before = design;
    await trx
      .updateTable('api_versions')
      .set(columns)
      .where('api_stub', '=', api_stub)
      .where('version', '=', version)
      .execute();
  }
}

type Columns = Pick<Tables['api_versions'], 'summary' | 'interface' | 'example' | 'changes'>;

/** Nothing to show of what nobody can have published: somebody changed the file, and it does not match its hash. */
function columnsOf(content: string, before: Design | undefined): [Partial<Columns>, Design | undefined] {
  try {
    const design = JSON.parse(content) as Design;
    const { name, description, inputs, output_format, examples } = design;
    const columns: Columns = {
      summary: JSON.stringify({ name, description }),
      interface: JSON.stringify({ inputs, output_format }),
      example: examples[0] === undefined ? null : JSON.stringify(examples[0].inputs),
      changes: JSON.stringify(before === undefined ? [] : changesBetween(before, design)),
    };
    return [columns, design];
  } catch {
    return [{ summary: '{}' }, undefined];
  }
}
