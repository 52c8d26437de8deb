/** What each viewer gets from every route and page, of one production server or of three behind a balancer. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { openStore } from '@/service/store/store';
import { toFix, toVehicle, toVin } from '@/testing/service/vehicles';
import { CLIENTS, type AccessClient, type AccessRow, type Outcome } from './support/access-row';
import {
  ACCESS_METRICS_TOKEN,
  ACCESS_TABLE,
  ACCESS_USDOT,
  OUTSIDE_PLACE,
  VIN_PLACE,
} from './support/access-table';
import { SESSION_SECRET, startApplication, type Application } from './support/application';
import { TEMPLATE, createDatabase } from './support/databases';
import { LONG } from './support/long';
import { addSession } from './support/session';
import { startServers } from './support/target';
import { DAY_MS } from '@/lib/base/time';

const OTHER_USDOT = '9000066';
const UNKNOWN_USDOT = '9000067';

test.setTimeout(120_000);

let application: Application;
let database: pg.Client;
const [vin, outsideVin] = [toVin(1), toVin(2)];
const headersOf = {} as Record<AccessClient, Record<string, string>>;

/** Inserts a session into the database; returns its cookie as the server would have signed it. */
const createSession = async (
  name: string,
  role: string,
  {
    usdots = null,
    tags = null,
    isDisabled = false,
    expiresInMs = DAY_MS,
  }: { usdots?: string[] | null; tags?: string[] | null; isDisabled?: boolean; expiresInMs?: number } = {},
): Promise<{ cookie: string }> => {
  const token = randomBytes(24).toString('base64url');
  await database.query(
    'INSERT INTO linehaul.users (id, name, email, role, usdots, tags, disabled_at) VALUES ($1, $1, $2, $3, $4, $5, $6)',
    [name, `${name}@linehaul.test`, role, usdots, tags, isDisabled ? new Date() : null],
  );
  await database.query(
    'INSERT INTO linehaul.sessions (id, user_id, token, expires_at) VALUES ($1, $1, $2, $3)',
    [name, token, new Date(Date.now() + expiresInMs)],
  );
  const signature = createHmac('sha256', SESSION_SECRET).update(token).digest('base64');
  return { cookie: `linehaul.session_token=${encodeURIComponent(`${token}.${signature}`)}` };
};

/** Inserts a wall screen into the database; returns the cookie of a browser that opened its link. */
const createScreen = async (): Promise<{ cookie: string }> => {
  const token = randomBytes(24).toString('base64url');
  await database.query(
    `INSERT INTO linehaul.wall_screens (id, name, token_hash, usdots, made_by, created_at) VALUES ('screen', 'Yard', $1, $2, 'manager', now())`,
    [createHash('sha256').update(token).digest('hex'), [ACCESS_USDOT]],
  );
  return { cookie: `linehaul.screen=${token}` };
};

/** Two vehicles that have just reported; returns the headers of another carrier's key. */
const createFleet = async (databaseUrl: string): Promise<Record<string, string>> => {
  const store = await openStore({ databaseUrl, now: Date.now });
  try {
    for (const usdot of [ACCESS_USDOT, OTHER_USDOT])
      await store.carriers.upsert({ usdot, companyName: usdot, companyId: usdot, mcNumber: null });
    await store.vehicles.upsertMany([1, 2].map((n) => toVehicle(n, { usdot: ACCESS_USDOT })));
    await store.fixes.record(
      ACCESS_USDOT,
      [1, 2].map((n) => toFix(n, Date.now())),
    );
    const key = await store.keys.create({ usdot: OTHER_USDOT, name: 'another' });
    return { 'x-api-key': key.apiKey, 'provider-token': key.providerToken };
  } finally {
    await store.close();
  }
};

test.beforeAll(async ({}, testInfo) => {
  const databaseUrl = await createDatabase(TEMPLATE);
  const otherKey = await createFleet(databaseUrl);
  const variables = {
    DATABASE_URL: databaseUrl,
    FLEET_SOURCE: 'own',
    CARRIER_NAME: 'Prairie Freight',
    CARRIER_USDOT: ACCESS_USDOT,
    ACCOUNTS: 'required',
    METRICS_TOKEN: ACCESS_METRICS_TOKEN,
    REQUIRE_SECOND_FACTOR: 'managers',
  };
  const toLog = (server: number): string => testInfo.outputPath(`server-${server}.log`);
  application =
    testInfo.project.name === 'balanced'
      ? await startServers(variables, [0, 1, 2].map(toLog))
      : await startApplication(variables, toLog(0));
  database = new pg.Client({ connectionString: application.databaseUrl });
  await database.connect();
  Object.assign(headersOf, {
    anonymous: {},
    dispatcher: await createSession('dispatcher', 'dispatcher'),
    limited: await createSession('limited', 'dispatcher', { usdots: [OTHER_USDOT] }),
    tagged: await createSession('tagged', 'dispatcher', { usdots: [ACCESS_USDOT], tags: ['flatbeds'] }),
    // Without a password: an identity provider would have required a second factor.
    manager: await createSession('guarded', 'manager'),
    // The first manager, who has a password and no second factor.
    unguarded: { cookie: application.cookie },
    screen: await createScreen(),
    expired: await createSession('expired', 'manager', { expiresInMs: -1000 }),
    disabled: await createSession('disabled', 'manager', { isDisabled: true }),
    otherKey,
  });
  await setTags('flatbeds', [vin]);
});
test.afterAll(async () => {
  await database?.end();
  await application?.stop();
});

const setTags = async (tag: string, units: string[]): Promise<void> => {
  await database.query('DELETE FROM linehaul.unit_tags WHERE usdot = $1 AND tag = $2', [ACCESS_USDOT, tag]);
  await database.query('INSERT INTO linehaul.unit_tags SELECT $1, $2, unnest($3::text[])', [
    ACCESS_USDOT,
    tag,
    units,
  ]);
};

/** A path or a body with the VINs in place of their placeholders. */
const withVins = (text: string): string => text.replace(VIN_PLACE, vin).replace(OUTSIDE_PLACE, outsideVin);

const ask = (
  client: AccessClient,
  { method = 'GET', path, body, headers }: Omit<AccessRow, 'gets'>,
): Promise<Response> =>
  fetch(`${application.url}${withVins(path)}`, {
    method,
    redirect: 'manual',
    headers: {
      ...headersOf[client],
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : { origin: application.url }),
    },
    ...(body === undefined ? {} : { body: withVins(JSON.stringify(body)) }),
  });

const toOutcome = ({ status, headers }: Response): Outcome => {
  if (status !== 307) return status;
  const { pathname } = new URL(headers.get('location') ?? '', application.url);
  return pathname === '/sign-in' ? 'sign-in' : pathname === '/account' ? 'account' : status;
};

const IN_EACH_RUN: readonly AccessClient[] = ['anonymous', 'dispatcher', 'limited', 'tagged'];
for (const client of CLIENTS) {
  const details = IN_EACH_RUN.includes(client) ? {} : LONG;
  test(`gives ${client} what the table says, from every route and page`, details, async () => {
    const wrong: string[] = [];
    for (const [file, rows] of Object.entries(ACCESS_TABLE)) {
      for (const row of rows) {
        const response = await ask(client, row);
        await response.arrayBuffer();
        const got = toOutcome(response);
        if (got !== row.gets[client]) {
          wrong.push(`${file}: ${row.method ?? 'GET'} ${row.path} gives ${got}, not ${row.gets[client]}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
}

test('a fleet out of scope answers as one that does not exist', async () => {
  const paths = (usdot: string): string[] => [
    `/api/fleets/${usdot}/live`,
    `/api/fleets/${usdot}/live/${VIN_PLACE}`,
    `/api/fleets/${usdot}/roster`,
    `/api/fleets/${usdot}/units/${VIN_PLACE}`,
  ];
  const read = async (path: string) => {
    const response = await ask('limited', { path });
    return { status: response.status, text: await response.text() };
  };
  for (const [i, path] of paths(UNKNOWN_USDOT).entries()) {
    const unknown = await read(path);
    expect(unknown.status, path).toBe(404);
    expect(await read(paths(ACCESS_USDOT)[i]!), path).toEqual(unknown);
  }
});

test('a user of some units finds nothing of the others in any answer, and what their tags change to at once', async () => {
  await database.query(
    `INSERT INTO linehaul.unit_notes (usdot, unit, text, author, created_ms)
     SELECT $1, unit, 'note', 'Ann', 1 FROM unnest($2::text[]) unit`,
    [ACCESS_USDOT, [vin, outsideVin]],
  );
  await database.query(
    `INSERT INTO linehaul.alerts (usdot, rule_name, severity, unit, opened_ms, facts)
     SELECT $1, 'Late', 'info', unit, 1, '{"kind":"late"}' FROM unnest($2::text[]) unit`,
    [ACCESS_USDOT, [vin, outsideVin]],
  );
  await setTags('reefers', [vin, outsideVin]);
  const base = `/api/fleets/${ACCESS_USDOT}`;
  const paths = ['live', 'notes', 'tags', 'roster', 'alerts', 'sites', 'views'].map(
    (path) => `${base}/${path}`,
  );
  const read = async (path: string): Promise<[seen: boolean, outside: boolean]> => {
    const response = await ask('tagged', { path });
    // The names of units are spread over columns.
    const text = path.endsWith('/live')
      ? JSON.stringify(fromLiveBytes(new Uint8Array(await response.arrayBuffer())).named)
      : await response.text();
    return [text.includes(vin), text.includes(outsideVin)];
  };
  const listed = paths.slice(0, 5);
  for (const path of listed) expect(await read(path), path).toEqual([true, false]);
  for (const path of [...paths.slice(5), `/fleets/${ACCESS_USDOT}`])
    expect((await read(path))[1], path).toBe(false);
  await setTags('flatbeds', [outsideVin]);
  for (const path of listed) expect(await read(path), path).toEqual([false, true]);
  await setTags('flatbeds', [vin]);
});

test('a page of a fleet out of scope shows the text of one that does not exist', async ({ page }) => {
  await addSession(page.context(), application.url, headersOf.limited.cookie!);
  const read = async (usdot: string, path: string) => {
    await page.goto(`${application.url}/fleets/${usdot}${path}`);
    await expect(page.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
    const text = await page.locator('body').innerText();
    // The text contains a number of its own, as an example.
    return { title: (await page.title()).replace(usdot, ''), text: text.replace(`“${usdot}”`, '') };
  };
  for (const path of ['', '/roster', `/units/${vin}`])
    expect(await read(ACCESS_USDOT, path), path).toEqual(await read(UNKNOWN_USDOT, path));
});

test('pages with a password field warn over plain HTTP from another machine, and not on this machine', async () => {
  const read = (path: string, host: string): Promise<string> =>
    new Promise((resolve, reject) => {
      get(`${application.url}${path}`, { headers: { host } }, async (response) => {
        response.setEncoding('utf8');
        resolve((await response.toArray()).join(''));
      }).on('error', reject);
    });
  for (const path of ['/sign-in', '/join', '/reset']) {
    expect(await read(path, 'fleet.test:3000'), path).toContain('not known to be encrypted');
    expect(await read(path, new URL(application.url).host), path).not.toContain('not known to be encrypted');
  }
});

test('signing in leads back only to the page that required it', async () => {
  const location = async (path: string) => {
    const to = (await ask('anonymous', { path })).headers.get('location') ?? '';
    return new URL(to, application.url).href.slice(application.url.length);
  };
  const asked = `/fleets/${ACCESS_USDOT}?unit=${vin}`;
  expect(await location(asked)).toBe(`/sign-in?next=${encodeURIComponent(asked)}`);
  const arrive = async (next: string) =>
    new URL(
      (await ask('manager', { path: `/sign-in?next=${encodeURIComponent(next)}` })).headers.get('location')!,
      application.url,
    ).href;
  expect(await arrive(asked)).toBe(`${application.url}${asked}`);
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example'])
    expect(await arrive(next)).toBe(`${application.url}/`);
});
