/** The dashboard follows the schema of Grafana, and asks for metrics that a server has. */
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { parseEnv } from '@/lib/config/env';
import type { PollReport } from '@/lib/fleet/poll-report';
import type { Feed } from '@/lib/feeds/feeds';
import { createMetrics } from '@/lib/ops/metrics/metrics';
import { readVersions } from '@/lib/base/versions';
import { listTypeFaults } from '@/testing/deployment/type-faults';
import { FLAGS, STATUSES } from '@/lib/motion/status';
import { UNREAD_FEED } from '@/lib/wire/fleet';

interface Panel {
  type: string;
  title: string;
  description?: string;
  id: number;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}
interface Dashboard {
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
}

const readDashboard = () => JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8')) as Dashboard;

/** The types of each kind of panel, which @grafana/schema makes of Grafana's schemas. */
const CONFIG = 'import type { Options as O$, FieldConfig as F$ } from';
const FOLDER = '@grafana/schema/dist/esm/raw/composable';
const KINDS: Record<string, { imports: string; type: string }> = {
  timeseries: {
    imports: `${CONFIG} '${FOLDER}/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';`,
    type: 'Kind$<O$, F$>',
  },
  stat: {
    imports: `import type { Options as O$ } from '${FOLDER}/stat/panelcfg/x/StatPanelCfg_types.gen';`,
    type: 'Kind$<O$, Record<string, never>>',
  },
};

const listFaults = ({ panels, ...rest }: Dashboard): string[] => {
  const kinds = panels.map((value, i) => {
    const kind = KINDS[value.type];
    const imports = `import type { Panel as P$, RowPanel as R$ } from '@grafana/schema';
type Kind$<Options, Custom> = Omit<P$<Options, Custom>, 'options'> & { options: Options };\n${kind?.imports ?? ''}`;
    const numbered = (text: string) => text.replaceAll('$', String(i));
    return { imports: numbered(imports), type: numbered(kind?.type ?? 'R$'), value };
  });
  const imports = "import type { Dashboard } from '@grafana/schema';";
  return listTypeFaults([{ imports, type: "Omit<Dashboard, 'panels'>", value: rest }, ...kinds]);
};

const REPORT: PollReport = {
  ...{ usdot: '1000001', failure: null, tookMs: 120 },
  counts: {
    units: 1,
    byStatus: STATUSES.map(() => 1),
    byFlag: FLAGS.map(() => 1),
    fixesYoungerThan: [],
    newestFixAtMs: 0,
  },
};
const HEALTH = {
  ...{ delayP50Ms: 1, delayP99Ms: 2, delayMaxMs: 3, heapUsedBytes: 1, encodeMs: [1], compressMs: [1] },
};
const SHARING = {
  redisAwayMs: null,
  servers: [{ id: 'a', isThis: true, silentMs: 0, usdots: [], report: null }],
  counts: { publishedVersions: 0, publishedBytes: 0, readVersions: 0, readBytes: 0, lostLeases: 0 },
};
const toAccount = (prefix: string) => ({
  [`${prefix}_BASE_URL`]: 'https://tracking.example.com',
  [`${prefix}_API_KEY`]: 'key',
  [`${prefix}_PROVIDER_TOKEN`]: 'token',
  [`${prefix}_USDOT`]: prefix === 'TRACKING' ? '1000001' : '1000002',
});

/** The labels of each metric that a server which shares its fleets emits; `instance` is Prometheus' own. */
const readEmitted = async (): Promise<Map<string, Set<string>>> => {
  const metrics = createMetrics(readVersions());
  metrics.notePoll(REPORT, HEALTH);
  metrics.noteAnswer(200);
  const feed = { state: () => ({ ...UNREAD_FEED, fetchedAtMs: 0, rosterVins: 1 }) } as Feed;
  const { text } = await metrics.render({
    listPolled: () => [{ usdot: '1000001', feed, isWatched: true }],
    journal: { lastPoll: () => REPORT },
    viewers: { count: () => 1 },
    env: parseEnv({ ...toAccount('TRACKING'), ...toAccount('TRACKING_2') }),
    peekAccounts: () => [{ usdot: '1000001', problem: null }],
    clock: { nowMs: () => 1000 },
    readNotReady: () => [],
    history: null,
    readServers: () => SHARING,
    readRouting: () => null,
  });
  const emitted = new Map<string, Set<string>>();
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm))
    emitted.set(name!, new Set(['instance', ...[...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!)]));
  return emitted;
};

interface Expression {
  /** Each metric with the labels that it is selected by. */
  selectors: { metric: string; labels: string[] }[];
  /** The labels that are kept. */
  grouped: string[];
  hasError: boolean;
}

/** A query of PromQL, whose variables Grafana replaces. */
const parseQuery = (expr: string): Expression => {
  const text = expr.replaceAll('$__rate_interval', '5m');
  const read: Expression = { selectors: [], grouped: [], hasError: false };
  parser.parse(text).iterate({
    enter: ({ name, type, from, to, node }) => {
      const own = text.slice(from, to);
      if (type.isError) read.hasError = true;
      if (name === 'Identifier') read.selectors.push({ metric: own, labels: [] });
      if (name !== 'LabelName') return;
      if (node.parent?.name === 'GroupingLabels') read.grouped.push(own);
      else read.selectors.at(-1)?.labels.push(own);
    },
  });
  return read;
};

describe('grafana-dashboard.json', () => {
  const dashboard = readDashboard();
  const { panels } = dashboard;
  const queries = panels.flatMap(({ targets = [] }) => targets);

  it('follows the schema of Grafana, which a wrong field, a missing one and a wrong value do not', () => {
    expect(listFaults(dashboard)).toEqual([]);
    const WRONG = [
      ['"gridPos"', '"gridPosition"'],
      ['"schemaVersion"', '"version2"'],
      ['"drawStyle":"line"', '"drawStyle":"lines"'],
      ['"colorMode":"value"', '"colorModes":"value"'],
    ] as const;
    let text = JSON.stringify(dashboard);
    for (const [right, wrong] of WRONG) {
      expect(text).toContain(right);
      text = text.replace(right, wrong);
    }
    const faults = listFaults(JSON.parse(text) as Dashboard);
    expect(faults).toHaveLength(WRONG.length);
    for (const named of ['gridPosition', 'version2', '"lines"', 'colorMode'])
      expect(faults.join()).toContain(named);
  }, 60_000);

  it('asks for metrics and labels that a server has, in queries that Prometheus can read', async () => {
    const emitted = await readEmitted();
    expect(queries.length).toBeGreaterThan(20);
    for (const { expr } of queries) {
      const { selectors, grouped, hasError } = parseQuery(expr);
      expect(hasError, expr).toBe(false);
      expect(selectors.length, expr).toBeGreaterThan(0);
      const known = new Set(selectors.flatMap(({ metric }) => [...(emitted.get(metric) ?? [])]));
      for (const { metric, labels } of selectors) {
        expect([...emitted.keys()], expr).toContain(metric);
        expect(
          labels.filter((label) => !emitted.get(metric)!.has(label)),
          expr,
        ).toEqual([]);
      }
      expect(
        grouped.filter((label) => !known.has(label)),
        expr,
      ).toEqual([]);
    }
    expect(parseQuery('sum by (usdot (rate(linehaul_polls_total[5m]))').hasError).toBe(true);
  });

  it('shows each metric of servers that share their fleets', async () => {
    const without = (await readEmitted()).keys();
    const shown = new Set(
      queries.flatMap(({ expr }) => parseQuery(expr).selectors.map(({ metric }) => metric)),
    );
    const OF_SHARING = /^linehaul_(?:servers|redis_|fleets_owned|poll_lag|published_|read_|leases_)/;
    expect([...without].filter((name) => OF_SHARING.test(name) && !shown.has(name))).toEqual([]);
  });

  it('has a question over each row, a text for each panel, and no panel over another', () => {
    for (const { type, title, description, targets } of panels) {
      if (type === 'row') expect(title).toMatch(/^[A-Z].*\?$/);
      else
        expect({ title, description: description ?? '', targets: targets?.length }).toMatchObject({
          ...{ title: expect.stringMatching(/^\S/), description: expect.stringMatching(/\.$/) },
          targets: expect.any(Number),
        });
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it('reads the data source that its user chooses, and names the variables that it has', () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    expect(names).toEqual(['datasource', 'server']);
    for (const { datasource, targets = [] } of panels)
      for (const { uid } of [datasource, ...targets.map((each) => each.datasource)].flatMap(
        (each) => each ?? [],
      ))
        expect(uid).toBe('${datasource}');
    const used = queries.flatMap(({ expr }) => [...expr.matchAll(/\$(?!__)(\w+)/g)].map(([, name]) => name));
    expect([...new Set(used)]).toEqual(['server']);
  });
});
