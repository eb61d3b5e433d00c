/**
 * Imports go one way. `may` lists what a layer may import besides itself, node's own modules and zod; types count. The order
 * is protocol ← base ← engine, access, designs ← runs ← service ← transport ← compat ← app ← cli. What is beside it (model, web,
 * corpus, store) knows the ports it serves, not who calls it. Outside of src: src ← bench ← tools/training.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycles, readImports, withoutComments } from './support/read-imports.ts';

interface Import {
  readonly from: string;
  /** A file of the project by its path, `node:…`, or a package by its name. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const files = ['protocol', 'src'].flatMap((folder) => sourcesIn(folder));
/** The tools of a checkout, the training of the models, and the benches: never part of what is installed. */
const workshop = ['bench', 'tools'].flatMap((folder) => sourcesIn(folder));
const imports = files.flatMap((file) => importsOf(file));
const ofWorkshop = workshop.flatMap((file) => importsOf(file));
const isInProject = ({ to }: Import) => /^(protocol|src|bench|tools|test|examples)\//.test(to);
const inProject = imports.filter(isInProject);
const ofPackages = imports.filter((each) => !inProject.includes(each) && !each.to.startsWith('node:'));

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'optionalDependencies' | 'devDependencies',
  Record<string, string>
>;

/** What every layer may use. Of base, the process's own things are named in `ofProcess`. */
const ground = ['protocol', 'base'];

const may: Record<string, readonly string[]> = {
  protocol: [],
  base: ['protocol'],
  engine: ground,
  access: ground,
  designs: ground,
  runs: [...ground, 'engine', 'access'],
  webhooks: ground,
  schedules: ground,
  sources: ground,
  service: [...ground, 'engine', 'access', 'designs', 'runs', 'webhooks', 'schedules', 'sources'],
  pages: [...ground, 'transport'],
  transport: [...ground, 'engine', 'access', 'designs', 'runs', 'service'],
  // Of the transport only what the test of the doors below names.
  compat: [...ground, 'service', 'transport'],
  model: ground,
  telemetry: [...ground, 'runs'],
  web: ground,
  corpus: ground,
  store: ground,
  client: [],
  // What agents load beside their own frameworks.
  agents: ['client'],
  // Of the protocol only what brings no schemas along; a test below sees to it.
  ui: ['protocol', 'client'],
};

/** Of these layers only types, for they own the ports. */
const mayTypes: Record<string, readonly string[]> = {
  compat: ['runs'],
  model: ['engine'],
  telemetry: ['engine', 'webhooks'],
  web: ['engine', 'webhooks'],
  corpus: ['engine', 'sources'],
  // It ships without the schemas: a page loads its files as they are.
  client: ['protocol'],
  agents: ['protocol'],
  store: ['access', 'designs', 'runs', 'webhooks', 'schedules', 'sources'],
};

/** What base holds for the whole process, and the layers that may use it (types excepted). */
const ofProcess: Record<string, readonly string[]> = {
  // The native server reads a variable of the environment when it is loaded.
  'src/base/config.ts': ['transport'],
  'src/base/log.ts': [],
  'src/base/metrics.ts': ['access', 'runs', 'service', 'transport', 'web', 'corpus'],
  'src/base/redis/redis.ts': ['access', 'runs', 'web'],
  'src/base/postgres/pool.ts': ['store', 'corpus'],
};

/** These wire the others and may import all of them. */
const wiring = ['app', 'cli'];

/** Packages that any layer may import where the rules below do not forbid it. */
const forEveryone = ['zod', 'lru-cache', 'ipaddr.js'];

const owners: Record<string, readonly string[]> = {
  'uWebSockets.js': ['transport'],
  'uWebSockets.js-next': ['transport'],
  ws: ['transport'],
  '@modelcontextprotocol/server': ['compat'],
  ioredis: ['base', 'access', 'runs'],
  'rate-limiter-flexible': ['access'],
  'openid-client': ['access'],
  'better-sqlite3': ['base', 'store', 'corpus'],
  'sqlite-vec': ['corpus'],
  kysely: ['store'],
  pg: ['base'],
  undici: ['web'],
  cheerio: ['web'],
  htmlparser2: ['web'],
  unpdf: ['web'],
  'postal-mime': ['web'],
  piscina: ['base'],
  croner: ['schedules'],
  commander: ['cli'],
  pino: ['base'],
  'prom-client': ['base'],
  re2js: ['base'],
  stemmer: ['base'],
  '@orama/stemmers': ['base'],
  preact: ['ui'],
  '@preact/signals': ['ui'],
  marked: ['ui'],
  'sugar-high': ['ui'],
  diff: ['ui'],
};

describe('the layers', () => {
  it('finds the files, the layers and the packages they import', () => {
    const layers = new Set(files.map(layerOf));
    for (const layer of [
      'protocol',
      'base',
      'engine',
      'access',
      'corpus',
      'model',
      'runs',
      'store',
      'transport',
      'web',
    ]) {
      expect(layers).toContain(layer);
    }
    expect(files.length).toBeGreaterThan(60);
    expect(inProject.length).toBeGreaterThan(files.length);
    expect(ofPackages.map(({ to }) => to)).toEqual(expect.arrayContaining(['zod', 'undici', 'better-sqlite3']));
  });

  it('names every layer in this test', () => {
    const unnamed = files.map(layerOf).filter((layer) => !(layer in may) && !wiring.includes(layer));
    expect([...new Set(unnamed)]).toEqual([]);
  });

  /** A server that is run from its sources bundles its pages; what is built does not reach this import. */
  const ofCheckouts = ['src/pages/static-load.ts imports tools/bundle-pages.ts'];

  it('allows imports between layers in one direction only', () => {
    const wrong = inProject.filter(({ from, to, typeOnly }) => {
      const [own, other] = [layerOf(from), layerOf(to)];
      if (own === other || wiring.includes(own)) return false;
      return !may[own]?.includes(other) && !(typeOnly && mayTypes[own]?.includes(other));
    });
    expect(wrong.map(shown)).toEqual(ofCheckouts);
  });

  it('allows compat to import only what a handler needs of the transport, and no door another door', () => {
    const ofHandlers =
      /^src\/transport\/(?:event-stream|json-limits|http\/(?:await-result|base-url|context|door|searches|sse))\.ts$/;
    const ofCompat = inProject.filter(({ from }) => layerOf(from) === 'compat');
    expect(ofCompat.filter(({ to }) => layerOf(to) === 'transport' && !ofHandlers.test(to)).map(shown)).toEqual([]);
    // What several doors use lies beside their folders.
    const doorOf = (file: string) => /^src\/compat\/([^/]+)\//.exec(file)?.[1];
    const between = ofCompat.filter(({ from, to }) => {
      return from !== 'src/compat/doors.ts' && doorOf(to) !== undefined && doorOf(to) !== doorOf(from);
    });
    expect(between.map(shown)).toEqual([]);
  });

  it('allows imports of the environment, the log, metrics and Redis only in the layers listed', () => {
    const wrong = inProject.filter(({ from, to, typeOnly }) => {
      const users = ofProcess[to];
      const own = layerOf(from);
      return users !== undefined && !typeOnly && own !== 'base' && !wiring.includes(own) && !users.includes(own);
    });
    expect(wrong.map(shown)).toEqual([]);
    expect(Object.keys(ofProcess).filter((file) => !files.includes(file))).toEqual([]);
  });

  it('finds no import cycle in src, protocol, bench and tools, including type imports', () => {
    const all = [...inProject, ...ofWorkshop.filter(isInProject)];
    const next = new Map(
      [...files, ...workshop].map((file) => [file, all.filter(({ from }) => from === file).map(({ to }) => to)]),
    );
    expect(findCycles(next)).toEqual([]);
    expect(
      findCycles(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b', 'a']],
          ['d', ['a']],
        ]),
      ),
    ).toEqual([['a', 'b', 'c']]);
  });

  it('finds every imported file', () => {
    const all = [...inProject, ...ofWorkshop.filter(isInProject)];
    expect(all.filter(({ to }) => !existsSync(join(root, to))).map(shown)).toEqual([]);
  });
});

describe('the workshop', () => {
  /** What benches and screenshots need of the tests: servers, browsers and pages to run against. */
  const ofTests = /^test\/(support\/|hostile\/pages\/pages\.ts$|web\/serve\.ts$)/;

  it('finds the files of bench and tools', () => {
    for (const folder of ['bench/', 'bench/support/', 'tools/', 'tools/training/']) {
      expect(workshop.filter((file) => file.startsWith(folder)).length).toBeGreaterThan(3);
    }
  });

  it('allows imports of benches in the training, and of neither in the other tools', () => {
    const wrong = ofWorkshop.filter(isInProject).filter(({ from, to }) => {
      const [own, other] = [workshopOf(from), workshopOf(to)];
      if (other === 'test') return !ofTests.test(to);
      return other !== own && other !== 'src' && !(own === 'training' && other === 'bench');
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('finds only declared packages imported in bench, tools and test', () => {
    const { dependencies, optionalDependencies, devDependencies } = manifest;
    const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
    // This file has imports in a string.
    const tests = sourcesIn('test').filter((file) => file !== 'test/layers.test.ts');
    const named = [...ofWorkshop, ...tests.flatMap(importsOf)]
      .filter((each) => !isInProject(each) && !each.to.startsWith('node:'))
      .filter(({ to }) => !declared.includes(to));
    expect(named.map(shown)).toEqual([]);
  });
});

describe('packages', () => {
  it('allows imports of a package only in the layers that own it', () => {
    const wrong = ofPackages.filter(({ from, to }) => {
      const owner = owners[to];
      return owner !== undefined && !owner.includes(layerOf(from));
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('names owners for each package, except those for everyone, and no owner that does not import it', () => {
    const owned = [...new Set(ofPackages.map(({ to }) => to))].filter((name) => !forEveryone.includes(name));
    expect(owned.filter((name) => owners[name] === undefined)).toEqual([]);
    const stale = Object.entries(owners).flatMap(([name, layers]) =>
      layers
        .filter((layer) => !files.some((file) => layerOf(file) === layer && names(file, name)))
        .map((layer) => `${layer} does not import ${name}`),
    );
    expect(stale).toEqual([]);
  });

  it('finds no package in the engine, and only zod in the protocol', () => {
    expect(ofPackages.filter(({ from }) => layerOf(from) === 'engine').map(shown)).toEqual([]);
    expect(ofPackages.filter(({ from, to }) => layerOf(from) === 'protocol' && to !== 'zod').map(shown)).toEqual([]);
  });

  it('finds neither packages nor modules of Node in the client', () => {
    expect(
      imports.filter(({ from }) => layerOf(from) === 'client').filter(({ to }) => !/^(protocol|src)\//.test(to)),
    ).toEqual([]);
  });

  it('finds only the packages of a page in the ui, and no modules of Node', () => {
    const ofPages = ['preact', '@preact/signals', 'marked', 'sugar-high', 'diff'];
    const loaded = new Set(files.filter((file) => layerOf(file) === 'ui'));
    for (const file of loaded) {
      for (const { from, to, typeOnly } of inProject) if (from === file && !typeOnly) loaded.add(to);
    }
    expect(loaded.size).toBeGreaterThan(10);
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      return loaded.has(from) && !typeOnly && !inProject.some((each) => each.to === to) && !ofPages.includes(to);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('finds every imported package declared, and every dependency imported', () => {
    const { dependencies, optionalDependencies, devDependencies } = manifest;
    const installed = Object.keys({ ...dependencies, ...optionalDependencies });
    // The bundle of the published package contains what src imports of the devDependencies.
    const declared = [...installed, ...Object.keys(devDependencies)];
    expect([...new Set(ofPackages.map(({ to }) => to))].filter((name) => !declared.includes(name))).toEqual([]);
    expect(installed.filter((name) => !files.some((file) => names(file, name)))).toEqual([]);
  });

  it('finds only what is installed with the package imported in what is published as it is', () => {
    const asItIs = ofPackages.filter(({ from }) => ['client', 'agents'].includes(layerOf(from)));
    expect(asItIs.map(({ to }) => to)).toEqual(['zod']);
    expect(Object.keys(manifest.dependencies)).toContain('zod');
  });
});

describe('files', () => {
  it('finds no file that reads the environment except src/base/config.ts', () => {
    const readers = files.filter((file) =>
      /process\s*\.\s*env\b|from 'node:process'/.test(withoutComments(textOf(file))),
    );
    expect(readers.filter((file) => file !== 'src/base/config.ts')).toEqual([]);
  });

  it('finds no AbortSignal.timeout on the server, where Node 20 may collect it before it fires: base/abort.ts has a timeLimit', () => {
    const users = files.filter((file) => /AbortSignal\s*\.\s*timeout\b/.test(withoutComments(textOf(file))));
    expect(users.filter((file) => !file.startsWith('src/client/') && !file.startsWith('src/ui/'))).toEqual([]);
  });

  it('finds no file that re-exports, except the two that are imported from outside', () => {
    const barrels = files.filter((file) =>
      /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as \w+ )?from/m.test(textOf(file)),
    );
    const doors = ['protocol/index.ts', 'src/client/client.ts'];
    expect(barrels.filter((file) => !doors.includes(file))).toEqual([]);
  });

  it('finds at most 20 files in a folder', () => {
    const counts = new Map<string, number>();
    for (const file of [...files, ...workshop, ...sourcesIn('test')]) {
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    }
    const crowded = [...counts].filter(([, count]) => count > 20).map(([folder]) => folder);
    // The contract is one folder, so that it can be read, and generated, as a whole.
    // Migrations are a file each, and only grow.
    expect(crowded.sort()).toEqual(['protocol', 'src/store/migrations']);
  });

  it('finds no vague file name, only kebab-case, and no index.ts except in protocol', () => {
    const vague = /^(utils?|helpers?|common|misc|types|lib|shared|stuff)\.tsx?$/;
    expect([...files, ...workshop].filter((file) => vague.test(basename(file)))).toEqual([]);
    expect(
      [...files, ...workshop].filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/.test(basename(file))),
    ).toEqual([]);
    expect(files.filter((file) => basename(file) === 'index.ts')).toEqual(['protocol/index.ts']);
  });

  it('finds a header comment in every file', () => {
    expect([...files, ...workshop].filter((file) => !/^(#![^\n]*\n)?\/\*\*/.test(textOf(file)))).toEqual([]);
  });
});

describe('the reader of imports', () => {
  it('reads every form of import, and none in a comment', () => {
    const text = [
      "import a, { type B } from './a.ts';",
      "import type { C } from './c.ts';",
      "import {\n  d,\n} from './d.ts';",
      "export * from './e.ts';",
      "import 'pkg/side';",
      "const f = await import('@scope/f/deep');",
      "type G = import('./g.ts').G;",
      "new URL('./h-worker.ts', import.meta.url);",
      "import { type I, type J } from './i.ts';",
      "// import './no.ts';",
      "/* import './no.ts'; */",
    ].join('\n');
    expect(readImports(text)).toEqual([
      ['./a.ts', false],
      ['./c.ts', true],
      ['./d.ts', false],
      ['./e.ts', false],
      ['./i.ts', true],
      ['pkg/side', false],
      ['@scope/f/deep', false],
      ['./g.ts', true],
      ['./h-worker.ts', false],
    ]);
  });
});

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** Whether a file imports a package, also by a name in a variable. */
function names(file: string, name: string): boolean {
  const text = withoutComments(textOf(file));
  return text.includes(`'${name}'`) || text.includes(`'${name}/`);
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** `tools/training/x.ts` → training; `bench/…`, `tools/…` and `test/…` → their folder; the rest → src. */
function workshopOf(file: string): string {
  if (file.startsWith('tools/training/')) return 'training';
  return /^(bench|tools|test)\//.exec(file)?.[1] ?? 'src';
}

/** `src/web/page.ts` → web; `src/cli.ts` → cli; `protocol/x.ts` → protocol. */
function layerOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'src' ? second.replace(/\.tsx?$/, '') : first;
}

function importsOf(file: string): Import[] {
  return readImports(textOf(file)).map(([specifier, typeOnly]) => ({
    from: file,
    to: specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : packageOf(specifier),
    typeOnly,
  }));
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function shown({ from, to, typeOnly }: Import): string {
  return `${from} imports ${typeOnly ? 'types of ' : ''}${to}`;
}
