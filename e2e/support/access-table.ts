import { readFileSync } from 'node:fs';
import { DAY_MS } from '@/lib/base/time';
import {
  all,
  toOutcomes,
  toPageOutcomes,
  type Access,
  type AccessRow,
  type Method,
  type Outcomes,
} from './access-row';

/** Of the carrier whose fleet the application tracks. */
export const ACCESS_USDOT = '2345678';
/** Placeholder in paths for a VIN of its fleet. */
export const VIN_PLACE = 'VIN';
/** Placeholder for another one, which the tagged viewer does not see. */
export const OUTSIDE_PLACE = 'OTHER';
export const ACCESS_METRICS_TOKEN = 'metrics-token-of-the-table';

/** A request of a route, where it differs from the usual one; `status` is that of viewers whom the access lets in. */
interface Case {
  /** Parts of the address in place of the usual ones, and its query. */
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  status?: number;
  /** Viewers that get something else than the access says. */
  but?: Partial<Outcomes>;
}

/** By default a route is requested about this fleet and unit, and about an id that does not exist. */
const PARAMS: Record<string, string> = {
  usdot: ACCESS_USDOT,
  vin: VIN_PLACE,
  key: VIN_PLACE,
  id: '999999999',
  ...{ path: 'nothing-here', reference: 'none', token: 'none', number: 'none' },
  ...{ z: '0', x: '0', y: '0' },
};
/** A unit that the tagged viewer does not see. */
const OUTSIDE = { params: { vin: OUTSIDE_PLACE, key: OUTSIDE_PLACE }, but: { tagged: 404 } };
/** The operation itself refuses dispatchers, and wall screens because they have no user. */
const MANAGERS_ONLY = { dispatcher: 403 };
const NO_SCREENS = { screen: 403 };
const NO_QUERY = '';
const NO_CONTACT = {
  ...{ driver: '', driverPhone: '', secondDriver: '', secondDriverPhone: '' },
  ...{ dispatcher: '', dispatcherPhone: '', text: '' },
};

/**
 * What the routes' own data does not say: requests that reach further than the check of an empty body or of an unknown
 * id, and what they get. A route without a line gets 400 for the empty body that it does not accept, 404 for an id that
 * does not exist, and otherwise 200.
 */
const CASES: Record<string, Case[]> = {
  'GET /api/{path}': [{ status: 404 }],
  'POST /api/api-keys/{id}/rotate': [{ body: { overlapMs: 0 }, status: 404 }],
  // Signing out everywhere would end the sessions of the other rows: e2e/sign-in.spec.ts covers it.
  'DELETE /api/account/sessions': [],
  'GET /api/alert-preferences': [{ but: NO_SCREENS }],
  'DELETE /api/push-subscriptions': [{}, { body: { endpoint: 'https://push.test/none' }, status: 204 }],
  'GET /api/auth/{path}': [{ params: { path: 'get-session' }, status: 404 }],
  'POST /api/auth/{path}': [
    { params: { path: 'sign-up/email' }, body: {}, status: 404 },
    { params: { path: 'sign-in/email' }, body: { email: 'x' }, status: 400 },
    { params: { path: 'sign-in/second-factor' }, body: {}, status: 400 },
    { params: { path: 'two-factor/disable' }, body: {}, status: 404 },
    // No OpenID Connect provider is configured.
    { params: { path: 'sign-in/oidc' }, body: { next: '/' }, status: 404 },
  ],
  // No fleet is in its address: the carrier's is checked once it is known.
  'GET /api/carrier': [{}],
  'GET /api/devices/csv': [{ query: `usdot=${ACCESS_USDOT}` }],
  'POST /api/fleets/{usdot}/alert-rules': [
    {},
    // A rule for the whole fleet.
    {
      body: {
        name: 'Late',
        condition: { kind: 'arrives', siteIds: [1] },
        units: { type: 'all' },
        schedule: null,
        severity: 'info',
        coolDownMin: 0,
        isEnabled: true,
        isOwn: false,
      },
      but: MANAGERS_ONLY,
    },
  ],
  'PATCH /api/fleets/{usdot}/alert-rules/{id}': [{ status: 404 }],
  'POST /api/fleets/{usdot}/alerts/{id}/acknowledge': [{ body: { note: '' }, status: 404 }],
  'POST /api/fleets/{usdot}/alerts/change': [
    { body: { alertIds: [1], isAcknowledged: true, isClosed: false, note: '' }, status: 200 },
  ],
  'GET /api/fleets/{usdot}/webhooks': [{ but: MANAGERS_ONLY }],
  'POST /api/fleets/{usdot}/webhooks': [
    {},
    // An address of a private network.
    {
      body: { name: 'Hook', url: 'https://10.0.0.1/', minSeverity: 'info', isEnabled: true },
      but: MANAGERS_ONLY,
    },
  ],
  'PATCH /api/fleets/{usdot}/webhooks/{id}': [{ status: 404, but: MANAGERS_ONLY }],
  'DELETE /api/fleets/{usdot}/webhooks/{id}': [{ but: MANAGERS_ONLY }],
  'GET /api/fleets/{usdot}/webhooks/{id}/deliveries': [{ but: MANAGERS_ONLY }],
  'POST /api/fleets/{usdot}/webhooks/{id}/test': [{ but: MANAGERS_ONLY }],
  'POST /api/fleets/{usdot}/deliveries/{id}/replay': [{ but: MANAGERS_ONLY }],
  'POST /api/fleets/{usdot}/attempt': [{ status: 204 }],
  'GET /api/fleets/{usdot}/detention/preview': [{ query: 'unit=none&siteId=1&arrivedMs=1', status: 404 }],
  'PUT /api/fleets/{usdot}/detention/dismissals': [
    {},
    { body: { stay: { unit: 'none', siteId: 1, arrivedMs: 1 }, isDismissed: true }, status: 404 },
  ],
  'GET /api/fleets/{usdot}/detention/statements': [{ query: 'month=2026-11' }],
  'POST /api/fleets/{usdot}/detention/statements': [
    {},
    {
      body: { stay: { unit: 'none', siteId: 1, arrivedMs: 1 }, isShownByNumber: false, amountCents: 0 },
      status: 404,
    },
  ],
  // No mail server is configured.
  'POST /api/fleets/{usdot}/proof/{number}/mail': [{}, { body: { address: 'a@b.test' }, status: 404 }],
  'PUT /api/fleets/{usdot}/proof/{number}': [{}, { body: { isShownByNumber: true }, status: 404 }],
  'PUT /api/fleets/{usdot}/calendars/{id}': [
    {},
    { body: { recipient: 'Kroger', language: 'en', showsTruck: false, endsMs: null }, status: 404 },
  ],
  'POST /api/fleets/{usdot}/shares': [
    {},
    // A truck that the tagged viewer does not see.
    {
      body: {
        ...{ recipient: 'Kroger', precision: 'exact', fields: [], delayMin: 0 },
        items: [{ loadId: null, unit: OUTSIDE_PLACE }],
        ...{ endsMs: Date.now() + DAY_MS, endsOn: null, endsAtStop: null, endsAtSite: null },
        ...{ showsEnd: true, frameOrigins: [] },
      },
      status: 200,
      but: { tagged: 404 },
    },
  ],
  'POST /api/fleets/{usdot}/certificates': [
    {},
    // A truck that the tagged viewer does not see.
    {
      body: { unit: OUTSIDE_PLACE, fromMs: 1, toMs: 1, fields: ['vin'], isShownByNumber: false },
      status: 200,
      but: { tagged: 404 },
    },
  ],
  'GET /api/fleets/{usdot}/carrier/{vin}': [{}, OUTSIDE],
  'GET /api/fleets/{usdot}/live/{key}': [{}, OUTSIDE],
  'GET /api/fleets/{usdot}/live': [{}, { query: 'since=unknown.1' }],
  'PUT /api/fleets/{usdot}/contacts': [
    {},
    {
      body: { ...NO_CONTACT, unit: OUTSIDE_PLACE, driver: 'Ann' },
      status: 204,
      but: { tagged: 404 },
    },
  ],
  'POST /api/fleets/{usdot}/notes': [
    {},
    {
      body: { unit: OUTSIDE_PLACE, text: 'Brakes', expiresMs: null },
      status: 200,
      but: { tagged: 404 },
    },
  ],
  // Nothing was recorded in 1970.
  'GET /api/fleets/{usdot}/past': [{ query: 'at=1', status: 404 }],
  'GET /api/fleets/{usdot}/history/visits': [{ query: 'area=circle:35,-101,5000&from=0&to=1' }],
  'GET /api/fleets/{usdot}/history/site-visits': [{ query: 'from=0&to=1' }],
  'GET /api/fleets/{usdot}/past/hours': [{ query: 'from=0&to=1' }],
  'PATCH /api/fleets/{usdot}/sites/{id}': [{ status: 404 }],
  'GET /api/fleets/{usdot}/sites/{id}/visits': [{ query: 'from=0&to=1' }],
  // Nothing is that old.
  'GET /api/fleets/{usdot}/export': [{ query: 'from=0&to=1&zone=UTC', status: 404 }],
  'GET /api/fleets/{usdot}/handover': [{ query: 'since=1' }],
  'GET /api/fleets/{usdot}/report': [{ query: 'from=0&to=1&zone=UTC' }],
  'GET /api/fleets/{usdot}/facilities': [{ query: 'from=0&to=1&zone=UTC' }],
  'GET /api/fleets/{usdot}/data-quality': [{ query: 'from=0&to=1&zone=UTC&by=device' }],
  'GET /api/fleets/{usdot}/recorded-days': [{ query: 'zone=America/Chicago' }],
  'GET /api/fleets/{usdot}/tails': [{ query: 'minutes=60&south=24&west=-125&north=50&east=-66' }],
  'PUT /api/fleets/{usdot}/views/start': [{}, { body: { id: 'unknown' }, status: 404 }],
  'GET /api/fleets/{usdot}/units/{vin}/trail/export': [
    { query: 'from=0&to=1&format=gpx&zone=UTC' },
    { query: 'from=0&to=1&format=gpx&zone=UTC', ...OUTSIDE },
  ],
  'GET /api/fleets/{usdot}/units/{vin}/trail': [
    { query: 'from=0&to=1' },
    { query: 'from=0&to=1', ...OUTSIDE },
  ],
  'GET /api/fleets/{usdot}/units/{vin}/loads': [
    { query: 'from=0&to=1' },
    { query: 'from=0&to=1', ...OUTSIDE },
  ],
  'GET /api/fleets/{usdot}/loads/past': [{ query: 'from=0&to=1' }],
  'GET /api/fleets/{usdot}/units/{vin}': [{}, OUTSIDE],
  'GET /api/fleets/{usdot}/loads/ended': [{ query: 'from=0&to=1' }],
  'DELETE /api/getting-started': [{ status: 204 }],
  // The application of the table has no street map.
  'GET /api/map/streets/{z}/{x}/{y}': [{ status: 503 }],
  // A link token is its own permission: without one, a signed-in user gets nothing.
  'POST /api/screen': [{ body: { token: 'no-link-of-a-screen' }, status: 404 }],
  'GET /t/{token}': [{ status: 404 }],
  'GET /t/{token}/calendar.ics': [{ status: 404 }],
  'GET /p/{token}': [{ status: 404 }],
  'POST /p/{token}': [{ status: 404 }],
  'GET /d/{number}': [{ status: 404 }],
  // What is no form is no document.
  'POST /verify': [{ status: 400 }],
  'GET /u/{token}': [{ status: 404 }],
  'POST /u/{token}': [{ status: 404 }],
  'POST /api/join/invitation': [{ body: { token: 'no-invitation' }, status: 404 }],
  'POST /api/reset/link': [{ body: { token: 'no-reset' }, status: 404 }],
  // No mail server is configured.
  'POST /api/reset/mail': [{ body: { email: 'a@b.test' }, status: 404 }],
  'POST /api/screens': [{ body: { name: 'Wall', usdots: [], role: 'manager' } }],
  'PATCH /api/settings': [
    { body: { isSecondFactorRequired: 'yes' } },
    // This test's environment already sets it.
    { body: { isSecondFactorRequired: false }, status: 409 },
  ],
  'PATCH /api/users/{id}': [
    { body: { role: 'manager' }, status: 404 },
    { body: { role: 'manager', emailVerified: true } },
  ],
  'GET /metrics': [
    { status: 401 },
    { headers: { authorization: `Bearer ${ACCESS_METRICS_TOKEN}` }, status: 200 },
  ],
};

interface Operation {
  'x-access': Access;
  requestBody?: object;
}

/** The routes by what they state themselves; app/openapi.test.ts keeps the document current. */
const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

const toRow = (
  [method, path]: [Method, string],
  { 'x-access': access, requestBody }: Operation,
  { params = {}, query = NO_QUERY, body, headers, status, but }: Case,
): AccessRow => {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? PARAMS[name]!);
  const sent = body ?? (requestBody === undefined ? undefined : {});
  const usual = requestBody === undefined ? (path.includes('{id}') ? 404 : 200) : 400;
  return {
    method,
    path: query === NO_QUERY ? address : `${address}?${query}`,
    ...(sent !== undefined && { body: sent }),
    ...(headers !== undefined && { headers }),
    gets: { ...toOutcomes(access, method, status ?? usual), ...but },
  };
};

/** Rows of the routes, by method and path. */
const ROUTES = Object.fromEntries(
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase() as Method;
      const rows = (CASES[`${method} ${path}`] ?? [{}]).map((each) => toRow([method, path], operation, each));
      return [`${method} ${path}`, rows] as const;
    }),
  ),
);

/** Lines of the table for a route that there is not. */
export const UNKNOWN_CASES = Object.keys(CASES).filter((name) => !(name in ROUTES));

/**
 * The five endpoints of the embedded service accept keys and no sessions: only a key of the carrier opens
 * them.
 */
const tracking = (path: string): AccessRow => ({
  path: `/tracking/${path}`,
  gets: { ...all(401), otherKey: 403 },
});

const FLEET_PAGE = `/fleets/${ACCESS_USDOT}`;
const page = (path: string, access: Access, but: Partial<Outcomes> = {}): AccessRow[] => [
  { path, gets: { ...toPageOutcomes(access), ...but } },
];

/** What each viewer gets from every page: a new one needs a row here. */
const PAGES: Record<string, AccessRow[]> = {
  'app/(shell)/account/page.tsx': page('/account', 'account'),
  'app/(shell)/api-keys/page.tsx': page('/api-keys', 'manager'),
  'app/(shell)/audit/page.tsx': page('/audit', 'manager'),
  'app/(shell)/devices/page.tsx': page('/devices', 'manager'),
  'app/fleet-source/page.tsx': page('/fleet-source', 'manager'),
  'app/fleets/[usdot]/alerts/page.tsx': page(`${FLEET_PAGE}/alerts`, 'units'),
  'app/fleets/[usdot]/handover/page.tsx': page(`${FLEET_PAGE}/handover`, 'fleet'),
  'app/fleets/[usdot]/history/page.tsx': page(`${FLEET_PAGE}/history`, 'fleet'),
  'app/fleets/[usdot]/links/[id]/page.tsx': page(`${FLEET_PAGE}/links/none`, 'units'),
  'app/fleets/[usdot]/proof/page.tsx': page(`${FLEET_PAGE}/proof`, 'units'),
  'app/fleets/[usdot]/proof/billable/page.tsx': page(`${FLEET_PAGE}/proof/billable`, 'units'),
  'app/fleets/[usdot]/proof/statements/page.tsx': page(`${FLEET_PAGE}/proof/statements`, 'units'),
  'app/fleets/[usdot]/proof/terms/page.tsx': page(`${FLEET_PAGE}/proof/terms`, 'units'),
  'app/fleets/[usdot]/links/page.tsx': page(`${FLEET_PAGE}/links`, 'units'),
  'app/fleets/[usdot]/loads/[id]/page.tsx': page(`${FLEET_PAGE}/loads/1`, 'units'),
  'app/fleets/[usdot]/loads/grades/page.tsx': page(`${FLEET_PAGE}/loads/grades`, 'fleet'),
  'app/fleets/[usdot]/loads/page.tsx': page(`${FLEET_PAGE}/loads`, 'units'),
  // A wall screen has a page of its own.
  'app/fleets/[usdot]/page.tsx': page(FLEET_PAGE, 'map', { screen: 307 }),
  'app/fleets/[usdot]/roster/page.tsx': page(`${FLEET_PAGE}/roster`, 'units'),
  'app/fleets/[usdot]/sites/[id]/page.tsx': page(`${FLEET_PAGE}/sites/1`, 'units'),
  'app/fleets/[usdot]/sites/page.tsx': page(`${FLEET_PAGE}/sites`, 'units'),
  'app/fleets/[usdot]/units/[vin]/page.tsx': page(`${FLEET_PAGE}/units/${VIN_PLACE}`, 'units'),
  'app/(shell)/help/page.tsx': page('/help', 'viewer'),
  'app/join/page.tsx': page('/join', 'anyone'),
  'app/offline/page.tsx': page('/offline', 'anyone'),
  // Redirects to the first fleet in the viewer's scope.
  'app/page.tsx': page('/', 'viewer'),
  'app/(shell)/refused-reports/page.tsx': page('/refused-reports', 'manager'),
  'app/reset/page.tsx': page('/reset', 'anyone'),
  'app/screen/page.tsx': page('/screen', 'anyone'),
  'app/screen/[usdot]/page.tsx': page(`/screen/${ACCESS_USDOT}`, 'map'),
  'app/(shell)/screens/page.tsx': page('/screens', 'manager'),
  'app/(shell)/settings/page.tsx': page('/settings', 'manager'),
  // There is a manager already.
  'app/set-up/page.tsx': page('/set-up', 'anyone', all('sign-in')),
  // No mail server is configured.
  'app/sign-in/forgotten/page.tsx': page('/sign-in/forgotten', 'anyone', all(404)),
  // Whoever has a session goes on to the start page.
  'app/sign-in/page.tsx': page('/sign-in', 'anyone', {
    ...{ dispatcher: 307, limited: 307, tagged: 307, manager: 307, screen: 307, unguarded: 307 },
  }),
  'app/(shell)/status/page.tsx': page('/status', 'manager'),
  'app/(shell)/users/page.tsx': page('/users', 'manager'),
};

/** What each viewer gets, for each route, for each page by its file, and for the tracking service. */
export const ACCESS_TABLE: Record<string, AccessRow[]> = {
  ...ROUTES,
  // A method that the route does not have.
  'POST /api/account/sessions': [{ method: 'POST', path: '/api/account/sessions', body: {}, gets: all(405) }],
  ...PAGES,
  'server/service/tracking.ts': [
    tracking(`api/units/${ACCESS_USDOT}`),
    tracking(`api/units/${ACCESS_USDOT}/${VIN_PLACE}`),
    tracking(`api/vin-numbers/${ACCESS_USDOT}`),
    tracking(`extensions/units/${ACCESS_USDOT}/${VIN_PLACE}`),
    // Its own carrier, and nothing of a VIN that is not its own.
    { path: '/tracking/api/carrier', gets: { ...all(401), otherKey: 200 } },
    { path: `/tracking/api/carrier/${VIN_PLACE}`, gets: { ...all(401), otherKey: 404 } },
    { path: '/tracking/openapi.json', gets: all(200) },
  ],
};
