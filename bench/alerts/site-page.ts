import { DEMO_CARRIER } from '@/service/simulator/vehicles';
import { runStatement } from '@/testing/template';
import type { RunningApplication } from '../server/processes';
import { atMost, toSection, type Section } from '../support/report';
import { median, percentile } from '../support/statistics';
import { post, timeCalls } from './fixture';
import { plan } from './plan';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';

const { usdot } = DEMO_CARRIER;
const YARD_VISITS_A_DAY = 150;
const OTHER_SITES = 40;
const OTHER_VISITS_A_DAY = 15;

/**
 * A year of visits to each site, by the recorded units in turns: a unit comes every few hours and stays for 20 minutes to 10
 * hours, most of them shortly. Those that would have left after now are still there.
 */
const WRITE_VISITS = `
  WITH units AS (SELECT unit, row_number() OVER (ORDER BY unit) - 1 AS number FROM linehaul.unit_identities WHERE usdot = $1),
  visits AS (
    SELECT s.id, u.unit, $2::int8 - ((n + (hashtext('arrived' || n || s.id) & 1023) / 1024.0) * 86400000 / s.a_day)::int8 AS arrived_ms,
      (1200000 + 34800000 * power((hashtext('stayed' || n || s.id) & 1023) / 1024.0, 3))::int8 AS stayed_ms
    FROM (SELECT id, CASE name WHEN 'Yard' THEN ${YARD_VISITS_A_DAY} ELSE ${OTHER_VISITS_A_DAY} END AS a_day
      FROM linehaul.sites WHERE usdot = $1) s,
      LATERAL generate_series(1, s.a_day * ${plan.visitedDays}) n,
      LATERAL (SELECT unit FROM units WHERE number = (n * 7 + s.id) % (SELECT count(*) FROM units)) u)
  INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms, left_ms, left_by_ms)
  SELECT $1, id, unit, arrived_ms - 120000, arrived_ms,
    CASE WHEN arrived_ms + stayed_ms < $2 THEN arrived_ms + stayed_ms END,
    CASE WHEN arrived_ms + stayed_ms < $2 THEN arrived_ms + stayed_ms + 120000 END
  FROM visits ON CONFLICT DO NOTHING`;

const createSites = () =>
  ['Yard', ...Array.from({ length: OTHER_SITES }, (_, i) => `Customer ${i + 1}`)].map((name, i) => ({
    name,
    shape: { type: 'circle', lat: 30 + i / 10, lng: -97, radiusM: 200 },
  }));

/** Server time of the page of a busy yard, with a year of visits to it and to other sites. */
export const measureSitePage = async (application: RunningApplication): Promise<Section> => {
  const { url, cookie, databaseUrl } = application;
  await post(application, usdot, 'sites/import', { sites: createSites() });
  await runStatement(databaseUrl, WRITE_VISITS, [usdot, Date.now()]);
  await runStatement(databaseUrl, 'VACUUM ANALYZE linehaul.site_visits');
  const [row] = await runStatement(
    databaseUrl,
    `SELECT (SELECT id FROM linehaul.sites WHERE usdot = $1 AND name = 'Yard') AS id, count(*)::int AS visits
     FROM linehaul.site_visits`,
    [usdot],
  );
  const { id, visits } = row as { id: number; visits: number };
  const read = async (path: string): Promise<void> => {
    const response = await fetch(`${url}${path}`, { headers: { cookie } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}.`);
  };
  const toMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const toPath = (days: number): string =>
    `/api/fleets/${usdot}/sites/${id}/visits?from=${toMs - days * DAY_MS}&to=${toMs}`;
  const shown = (what: string, tookMs: number[]) => ({
    what,
    measured: `${median(tookMs).toFixed(0)} and ${percentile(tookMs, 0.99).toFixed(0)} ms`,
    target: '',
    isMet: null,
  });
  // Not the first: code is compiled, and connections are made.
  await read(toPath(30));
  const monthMs = await timeCalls(plan.requests, () => read(toPath(30)));
  const yearMs = await timeCalls(plan.requests, () => read(toPath(365)));
  await read(`/fleets/${usdot}/sites/${id}`);
  const htmlMs = await timeCalls(plan.requests, () => read(`/fleets/${usdot}/sites/${id}`));
  return toSection(
    `The page of a site, a year of ${YARD_VISITS_A_DAY} visits a day`,
    [
      atMost(
        'who is there, and the visits and dwell times of 30 days, p99',
        percentile(monthMs, 0.99),
        100,
        'ms',
        0,
      ),
      { what: '… median', measured: `${median(monthMs).toFixed(0)} ms`, target: '', isMet: null },
      shown('… of the whole year, median and p99', yearMs),
      shown('the page itself (HTML), median and p99', htmlMs),
    ],
    [
      `${plan.requests} requests of each kind, one after the other, as a client on the same machine sees them. The table has ${visits.toLocaleString('en-US')} visits to ${OTHER_SITES + 1} sites; at most 1,000 are listed.`,
    ],
  );
};
