/** The dashboard and the alert rules in ops/: each metric in them is one that a running server prints, with the labels it has. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/base/metrics.ts';
import { startTestApp } from '../support/start-app.ts';

const read = (name: string) => readFileSync(new URL(`../../ops/${name}`, import.meta.url), 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
};
const rules = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const expressions = [
  ...shown,
  ...rules.map(({ expr }) => expr),
  ...dashboard.templating.list.map(({ query }) => query),
];

/** The series in the text format: each sample's name, and those of a histogram. */
function namesIn(text: string): Set<string> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  return new Set(
    types.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

const usedIn = (expression: string) => [...expression.matchAll(/\bcitewire_[a-z_]+/g)].map(([name]) => name);

describe('the dashboard and the alert rules', () => {
  it('use only metrics that a running server prints', async () => {
    await using app = await startTestApp();
    await app.post('/v1/search', { prompt: 'Who designed the Heron Point Lighthouse?' });
    const printed = namesIn(await (await app.get('/metrics')).text());
    expect(printed.size).toBeGreaterThan(30);
    const used = new Set(expressions.flatMap(usedIn));
    expect(used.size).toBeGreaterThan(25);
    expect([...used].filter((name) => !printed.has(name))).toEqual([]);
  });

  it('show every metric that a server prints', async () => {
    const printed = namesIn(await createMetrics().text());
    const used = new Set(shown.flatMap(usedIn).map((name) => name.replace(/_(?:bucket|sum|count)$/, '')));
    expect([...printed].filter((name) => !used.has(name.replace(/_(?:bucket|sum|count)$/, '')))).toEqual([]);
  });

  it('group and select by labels that the metrics have', async () => {
    const metrics = createMetrics();
    metrics.request('search', 200, 1);
    metrics.searchEnded('completed', 1, { door: 'native', effort: 'fast', isBackground: false });
    metrics.limited('calls', false);
    metrics.limiterState('local');
    metrics.signInFailed('unauthorized');
    metrics.tokens('input', 1);
    metrics.stage('plan', 1);
    metrics.modelLesson('lesson');
    metrics.upstreamCall('model', 'm', 'ok', 1);
    metrics.webhookTried('delivered');
    metrics.spans('exported', 1);
    const samples = (await metrics.text()).split('\n');
    const labelsOf = (name: string) =>
      samples
        .filter((line) => line.startsWith(`${name}{`))
        .flatMap((line) => [...line.matchAll(/[{,](\w+)=/g)].map(([, label]) => label!));
    // What Prometheus adds, and Grafana's variables.
    const added = ['instance', 'job'];
    for (const expression of expressions) {
      const known = new Set([...usedIn(expression).flatMap(labelsOf), ...added]);
      const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
      const selected = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|=)/g)].map(([, label]) => label!);
      const unknown = [...grouped, ...selected].filter((label) => !known.has(label));
      expect(unknown, expression).toEqual([]);
    }
  });

  it('have panels that do not overlap, and targets with names of their own', () => {
    expect(dashboard).toMatchObject({ uid: 'citewire', schemaVersion: 39 });
    const taken = new Set<string>();
    const ids = new Set(dashboard.panels.map(({ id }) => id));
    expect(ids.size).toBe(dashboard.panels.length);
    for (const { title, gridPos, targets = [] } of dashboard.panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x} ${y}`), title).toBe(false);
          taken.add(`${x} ${y}`);
        }
      }
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });

  it('have rules with a name, a severity and a sentence each', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Citewire[A-Z]/);
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });
});
