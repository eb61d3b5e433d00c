/**
 * What lists show of designs and versions, in columns of their own, so that no list reads whole documents. Existing rows get
 * them before versions are immutable again. SQLite reads a row from its beginning to the last column that a query needs, so
 * its tables are made again with the large columns at the end.
 */
import { sql, type Transaction } from 'kysely';
import { changesBetween, type Design } from '../../../protocol/index.ts';
import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migrate.ts';
import type { Tables } from '../tables/tables.ts';
import { finality } from './003-designs.ts';

export const shown: Migration = {
  name: '007-shown',
  async up(trx, { name }) {
    for (const statement of columns[name]) await sql.raw(statement).execute(trx);
    await fillDesigns(trx);
    await fillVersions(trx);
    for (const statement of frozenAgain[name]) await sql.raw(statement).execute(trx);
  },
};

/** Adds the columns, and takes away the trigger that refuses updates. */
const columns: Record<Dialect['name'], readonly string[]> = {
  sqlite: [
    'alter table designs rename to designs_before',
    `create table designs (api_id text not null primary key, account_id text not null references accounts (id),
       api_stub text not null, revision integer not null, created_at text not null, updated_at text not null,
       summary text not null default '{}', design text not null, constraint designs_stub unique (account_id, api_stub))`,
    `insert into designs (api_id, account_id, api_stub, revision, created_at, updated_at, design)
       select api_id, account_id, api_stub, revision, created_at, updated_at, design from designs_before`,
    'drop table designs_before',
    'create index designs_of_account on designs (account_id, created_at, api_id)',
    // Its triggers go with it.
    'alter table api_versions rename to versions_before',
    `create table api_versions (api_stub text not null, version integer not null check (version > 0), api_id text not null,
       account_id text not null references accounts (id), content_hash text not null, words text not null,
       published_at text not null, summary text not null default '{}', changes text not null default '[]', example text,
       interface text not null default '{}', content text not null,
       constraint api_versions_key primary key (api_stub, version))`,
    `insert into api_versions (api_stub, version, api_id, account_id, content_hash, words, published_at, content)
       select api_stub, version, api_id, account_id, content_hash, words, published_at, content from versions_before`,
    'drop table versions_before',
    'create index versions_of_design on api_versions (account_id, api_id, published_at)',
  ],
  postgres: [
    `alter table designs add column summary text collate "C" not null default '{}'`,
    `alter table api_versions add column summary text collate "C" not null default '{}',
       add column changes text collate "C" not null default '[]', add column example text collate "C",
       add column interface text collate "C" not null default '{}'`,
    'drop trigger api_versions_never_change on api_versions',
  ],
};

const frozenAgain: Record<Dialect['name'], readonly string[]> = {
  sqlite: finality.sqlite,
  postgres: [
    `create trigger api_versions_never_change before update on api_versions
       for each statement execute function refuse('a published version never changes')`,
  ],
};

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
    const [shownOf, design] = columnsOf(content, version === 1 ? undefined : before);
    before = design;
    await trx
      .updateTable('api_versions')
      .set(shownOf)
      .where('api_stub', '=', api_stub)
      .where('version', '=', version)
      .execute();
  }
}

type Columns = Pick<Tables['api_versions'], 'summary' | 'interface' | 'example' | 'changes'>;

/**
 * Nothing, for a version that nobody can have published as it is: somebody changed the file, and it does not match its
 * hash.
 */
function columnsOf(content: string, before: Design | undefined): [Partial<Columns>, Design | undefined] {
  try {
    const design = JSON.parse(content) as Design;
    const { name, description, inputs, output_format, examples } = design;
    const shownOf: Columns = {
      summary: JSON.stringify({ name, description }),
      interface: JSON.stringify({ inputs, output_format }),
      example: examples[0] === undefined ? null : JSON.stringify(examples[0].inputs),
      changes: JSON.stringify(before === undefined ? [] : changesBetween(before, design)),
    };
    return [shownOf, design];
  } catch {
    return [{ summary: '{}' }, undefined];
  }
}
