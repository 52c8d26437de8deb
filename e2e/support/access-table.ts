import { all, owner, page, signedIn, wholeFleet, type AccessRow } from './access-row';

/** Of the carrier whose fleet the application tracks. */
export const ACCESS_USDOT = '2345678';
/** Placeholder in paths for a VIN of its fleet. */
export const VIN_PLACE = 'VIN';
/** Placeholder for another one, which the tagged viewer does not see. */
export const OUTSIDE_PLACE = 'OTHER';
export const ACCESS_METRICS_TOKEN = 'metrics-token-of-the-table';

const VIEWERS = { dispatcher: 200, limited: 200, manager: 200, screen: 200 };
const VIEWERS_OF_MAP = { dispatcher: 200, limited: 404, manager: 200, screen: 200 };
const VIEWERS_OF_FLEET = { ...VIEWERS_OF_MAP, screen: 403 };
/** Viewers of the fleet get as far as the check of the body, or of the id, which does not exist. */
const FLEET_BAD_INPUT = { ...VIEWERS_OF_FLEET, dispatcher: 400, manager: 400 };
const FLEET_NOTHING = { ...VIEWERS_OF_FLEET, dispatcher: 404, manager: 404 };
/** Of a unit that the tagged viewer does not see. */
const OUTSIDE = { ...VIEWERS_OF_FLEET, tagged: 404 };
const FLEET_PAGES = { ...VIEWERS_OF_MAP, screen: 404 };
const MANAGERS = { dispatcher: 403, limited: 403, manager: 200, screen: 403 };
/** The id that a manager requests does not exist. */
const MANAGERS_NOTHING = { ...MANAGERS, manager: 404 };
const MANAGERS_BAD_INPUT = { ...MANAGERS, manager: 400 };
const MANAGERS_PAGE = { dispatcher: 404, limited: 404, manager: 200, screen: 404 };
const USERS_BAD_INPUT = { dispatcher: 400, limited: 400, manager: 400, screen: 403 };
const USERS_NOTHING = { dispatcher: 404, limited: 404, manager: 404, screen: 403 };
const USERS_DONE = { dispatcher: 204, limited: 204, manager: 204, screen: 403 };
/** A fleet's managers, and what they get of what does not exist or cannot be used. */
const MANAGERS_OF_FLEET = { ...VIEWERS_OF_FLEET, dispatcher: 403 };
const MANAGERS_OF_FLEET_NOTHING = { ...MANAGERS_OF_FLEET, manager: 404 };
const OWNERS = { dispatcher: 200, limited: 200, manager: 200 };
/** A user with an account gets as far as the check of the body, which is empty. */
const OWN_INPUT = { dispatcher: 400, limited: 400, manager: 400 };
const FLEET = `/api/fleets/${ACCESS_USDOT}`;
const FLEET_PAGE = `/fleets/${ACCESS_USDOT}`;

/**
 * The five endpoints of the embedded service accept keys and no sessions: only a key of the carrier opens
 * them.
 */
const tracking = (path: string): AccessRow => ({
  path: `/tracking/${path}`,
  gets: { ...all(401), otherKey: 403 },
});

/**
 * What each viewer gets, for every file of app/ that answers requests. A new route or page needs a row here,
 * one for each of its methods that answers differently.
 */
export const ACCESS_TABLE: Record<string, AccessRow[]> = {
  'app/api/[...path]/route.ts': [{ path: '/api/nothing-here', gets: all(404) }],
  'app/api/api-keys/[id]/rotate/route.ts': [
    {
      method: 'POST',
      path: '/api/api-keys/unknown/rotate',
      body: { overlapMs: 0 },
      gets: signedIn(MANAGERS_NOTHING),
    },
  ],
  'app/api/api-keys/[id]/route.ts': [
    { method: 'PATCH', path: '/api/api-keys/unknown', body: {}, gets: signedIn(MANAGERS_BAD_INPUT) },
    { method: 'DELETE', path: '/api/api-keys/unknown', gets: signedIn(MANAGERS_NOTHING) },
  ],
  'app/api/api-keys/route.ts': [
    { path: '/api/api-keys', gets: signedIn(MANAGERS) },
    { method: 'POST', path: '/api/api-keys', body: {}, gets: signedIn(MANAGERS_BAD_INPUT) },
  ],
  'app/api/account/password/route.ts': [
    { method: 'PUT', path: '/api/account/password', body: {}, gets: owner(OWN_INPUT) },
  ],
  'app/api/account/recovery-codes/route.ts': [
    { method: 'POST', path: '/api/account/recovery-codes', body: {}, gets: owner(OWN_INPUT) },
  ],
  'app/api/account/route.ts': [{ path: '/api/account', gets: owner(OWNERS) }],
  'app/api/account/second-factor/route.ts': [
    { method: 'POST', path: '/api/account/second-factor', body: {}, gets: owner(OWN_INPUT) },
    { method: 'PUT', path: '/api/account/second-factor', body: {}, gets: owner(OWN_INPUT) },
    { method: 'DELETE', path: '/api/account/second-factor', body: {}, gets: owner(OWN_INPUT) },
  ],
  'app/api/account/sessions/[id]/route.ts': [
    {
      method: 'DELETE',
      path: '/api/account/sessions/unknown',
      gets: owner({ dispatcher: 404, limited: 404, manager: 404 }),
    },
  ],
  // Signing out everywhere would end the sessions of the other rows: e2e/sign-in.spec.ts covers it.
  'app/api/account/sessions/route.ts': [
    { method: 'POST', path: '/api/account/sessions', body: {}, gets: all(405) },
  ],
  'app/api/alert-preferences/route.ts': [
    { path: '/api/alert-preferences', gets: signedIn({ ...VIEWERS, screen: 403 }) },
    { method: 'PUT', path: '/api/alert-preferences', body: {}, gets: signedIn(USERS_BAD_INPUT) },
  ],
  'app/api/push-subscriptions/route.ts': [
    { method: 'POST', path: '/api/push-subscriptions', body: {}, gets: signedIn(USERS_BAD_INPUT) },
    {
      method: 'DELETE',
      path: '/api/push-subscriptions',
      body: { endpoint: 'https://push.test/none' },
      gets: signedIn(USERS_DONE),
    },
  ],
  'app/api/push-subscriptions/[id]/route.ts': [
    { method: 'DELETE', path: '/api/push-subscriptions/unknown', gets: signedIn(USERS_NOTHING) },
  ],
  'app/api/audit/csv/route.ts': [{ path: '/api/audit/csv', gets: signedIn(MANAGERS) }],
  'app/api/audit/route.ts': [{ path: '/api/audit', gets: signedIn(MANAGERS) }],
  'app/api/auth/[...path]/route.ts': [
    { path: '/api/auth/get-session', gets: all(404) },
    { method: 'POST', path: '/api/auth/sign-up/email', body: {}, gets: all(404) },
    { method: 'POST', path: '/api/auth/sign-in/email', body: { email: 'x' }, gets: all(400) },
    { method: 'POST', path: '/api/auth/sign-in/second-factor', body: {}, gets: all(400) },
    { method: 'POST', path: '/api/auth/two-factor/disable', body: {}, gets: all(404) },
    // No OpenID Connect provider is configured.
    { method: 'POST', path: '/api/auth/sign-in/oidc', body: { next: '/' }, gets: all(404) },
  ],
  'app/api/carrier/route.ts': [{ path: '/api/carrier', gets: signedIn(VIEWERS_OF_FLEET) }],
  'app/api/devices/csv/route.ts': [
    { path: `/api/devices/csv?usdot=${ACCESS_USDOT}`, gets: signedIn(MANAGERS) },
  ],
  'app/api/devices/import/route.ts': [
    { method: 'POST', path: '/api/devices/import', body: {}, gets: signedIn(MANAGERS_BAD_INPUT) },
  ],
  'app/api/devices/route.ts': [
    { path: '/api/devices', gets: signedIn(MANAGERS) },
    { method: 'POST', path: '/api/devices', body: {}, gets: signedIn(MANAGERS_BAD_INPUT) },
    { method: 'PATCH', path: '/api/devices', body: {}, gets: signedIn(MANAGERS_BAD_INPUT) },
  ],
  'app/api/fleets/route.ts': [{ path: '/api/fleets', gets: signedIn(VIEWERS) }],
  'app/api/fleets/[usdot]/alert-rules/route.ts': [
    { path: `${FLEET}/alert-rules`, gets: wholeFleet(VIEWERS_OF_FLEET) },
    { method: 'POST', path: `${FLEET}/alert-rules`, body: {}, gets: wholeFleet(FLEET_BAD_INPUT) },
    // A rule for the whole fleet.
    {
      method: 'POST',
      path: `${FLEET}/alert-rules`,
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
      gets: wholeFleet({ ...VIEWERS_OF_FLEET, dispatcher: 403, manager: 400 }),
    },
  ],
  'app/api/fleets/[usdot]/alert-rules/[id]/route.ts': [
    { method: 'PATCH', path: `${FLEET}/alert-rules/999999999`, body: {}, gets: wholeFleet(FLEET_NOTHING) },
    { method: 'DELETE', path: `${FLEET}/alert-rules/999999999`, gets: wholeFleet(FLEET_NOTHING) },
  ],
  'app/api/fleets/[usdot]/alert-rules/preview/route.ts': [
    { method: 'POST', path: `${FLEET}/alert-rules/preview`, body: {}, gets: wholeFleet(FLEET_BAD_INPUT) },
  ],
  'app/api/fleets/[usdot]/alerts/route.ts': [{ path: `${FLEET}/alerts`, gets: signedIn(VIEWERS_OF_FLEET) }],
  'app/api/fleets/[usdot]/alerts/read/route.ts': [
    { method: 'POST', path: `${FLEET}/alerts/read`, body: {}, gets: signedIn(FLEET_BAD_INPUT) },
  ],
  'app/api/fleets/[usdot]/alerts/[id]/acknowledge/route.ts': [
    {
      method: 'POST',
      path: `${FLEET}/alerts/999999999/acknowledge`,
      body: { note: '' },
      gets: signedIn(FLEET_NOTHING),
    },
  ],
  'app/api/fleets/[usdot]/webhooks/route.ts': [
    { path: `${FLEET}/webhooks`, gets: wholeFleet(MANAGERS_OF_FLEET) },
    {
      method: 'POST',
      path: `${FLEET}/webhooks`,
      // An address of a private network.
      body: { name: 'Hook', url: 'https://10.0.0.1/', minSeverity: 'info', isEnabled: true },
      gets: wholeFleet({ ...MANAGERS_OF_FLEET, manager: 400 }),
    },
  ],
  'app/api/fleets/[usdot]/webhooks/[id]/route.ts': [
    {
      method: 'PATCH',
      path: `${FLEET}/webhooks/unknown`,
      body: {},
      gets: wholeFleet(MANAGERS_OF_FLEET_NOTHING),
    },
    { method: 'DELETE', path: `${FLEET}/webhooks/unknown`, gets: wholeFleet(MANAGERS_OF_FLEET_NOTHING) },
  ],
  'app/api/fleets/[usdot]/webhooks/[id]/deliveries/route.ts': [
    { path: `${FLEET}/webhooks/unknown/deliveries`, gets: wholeFleet(MANAGERS_OF_FLEET_NOTHING) },
  ],
  'app/api/fleets/[usdot]/webhooks/[id]/test/route.ts': [
    {
      method: 'POST',
      path: `${FLEET}/webhooks/unknown/test`,
      body: {},
      gets: wholeFleet(MANAGERS_OF_FLEET_NOTHING),
    },
  ],
  'app/api/fleets/[usdot]/deliveries/[id]/replay/route.ts': [
    {
      method: 'POST',
      path: `${FLEET}/deliveries/unknown/replay`,
      body: {},
      gets: wholeFleet(MANAGERS_OF_FLEET_NOTHING),
    },
  ],
  'app/api/fleets/[usdot]/attempt/route.ts': [
    {
      method: 'POST',
      path: `${FLEET}/attempt`,
      body: {},
      gets: signedIn({ ...VIEWERS_OF_FLEET, dispatcher: 204, manager: 204 }),
    },
  ],
  'app/api/fleets/[usdot]/carrier/[vin]/route.ts': [
    { path: `${FLEET}/carrier/${VIN_PLACE}`, gets: signedIn(VIEWERS_OF_FLEET) },
    { path: `${FLEET}/carrier/${OUTSIDE_PLACE}`, gets: signedIn(OUTSIDE) },
  ],
  'app/api/fleets/[usdot]/live/[key]/route.ts': [
    { path: `${FLEET}/live/${VIN_PLACE}`, gets: signedIn(VIEWERS_OF_MAP) },
    { path: `${FLEET}/live/${OUTSIDE_PLACE}`, gets: signedIn({ ...VIEWERS_OF_MAP, tagged: 404 }) },
  ],
  'app/api/fleets/[usdot]/live/route.ts': [
    { path: `${FLEET}/live`, gets: signedIn(VIEWERS_OF_MAP) },
    { path: `${FLEET}/live?since=unknown.1`, gets: signedIn(VIEWERS_OF_MAP) },
  ],
  'app/api/fleets/[usdot]/notes/[id]/route.ts': [
    {
      method: 'DELETE',
      path: `${FLEET}/notes/999999999`,
      gets: signedIn(FLEET_NOTHING),
    },
  ],
  'app/api/fleets/[usdot]/notes/route.ts': [
    { path: `${FLEET}/notes`, gets: signedIn(VIEWERS_OF_FLEET) },
    { method: 'POST', path: `${FLEET}/notes`, body: {}, gets: signedIn(FLEET_BAD_INPUT) },
    {
      method: 'POST',
      path: `${FLEET}/notes`,
      body: { unit: OUTSIDE_PLACE, text: 'Brakes', expiresMs: null },
      gets: signedIn(OUTSIDE),
    },
  ],
  'app/api/fleets/[usdot]/past/route.ts': [
    // Nothing was recorded in 1970.
    { path: `${FLEET}/past?at=1`, gets: wholeFleet({ ...VIEWERS_OF_FLEET, dispatcher: 404, manager: 404 }) },
  ],
  'app/api/fleets/[usdot]/history/visits/route.ts': [
    {
      path: `${FLEET}/history/visits?area=circle:35,-101,5000&from=0&to=1`,
      gets: wholeFleet(VIEWERS_OF_FLEET),
    },
  ],
  'app/api/fleets/[usdot]/past/hours/route.ts': [
    { path: `${FLEET}/past/hours?from=0&to=1`, gets: wholeFleet(VIEWERS_OF_FLEET) },
  ],
  'app/api/fleets/[usdot]/roster/route.ts': [{ path: `${FLEET}/roster`, gets: signedIn(VIEWERS_OF_FLEET) }],
  'app/api/fleets/[usdot]/sites/route.ts': [
    { path: `${FLEET}/sites`, gets: signedIn(VIEWERS_OF_MAP) },
    {
      method: 'POST',
      path: `${FLEET}/sites`,
      body: {},
      gets: wholeFleet({ ...VIEWERS_OF_FLEET, dispatcher: 400, manager: 400 }),
    },
  ],
  'app/api/fleets/[usdot]/sites/[id]/route.ts': [
    {
      method: 'PATCH',
      path: `${FLEET}/sites/999999999`,
      body: {},
      gets: wholeFleet({ ...VIEWERS_OF_FLEET, dispatcher: 404, manager: 404 }),
    },
    {
      method: 'DELETE',
      path: `${FLEET}/sites/999999999`,
      gets: wholeFleet({ ...VIEWERS_OF_FLEET, dispatcher: 404, manager: 404 }),
    },
  ],
  'app/api/fleets/[usdot]/sites/[id]/visits/route.ts': [
    {
      path: `${FLEET}/sites/999999999/visits?from=0&to=1`,
      gets: signedIn({ ...VIEWERS_OF_FLEET, dispatcher: 404, manager: 404 }),
    },
  ],
  'app/api/fleets/[usdot]/sites/suggested/route.ts': [
    { path: `${FLEET}/sites/suggested`, gets: wholeFleet(VIEWERS_OF_FLEET) },
  ],
  'app/api/fleets/[usdot]/sites/import/route.ts': [
    {
      method: 'POST',
      path: `${FLEET}/sites/import`,
      body: {},
      gets: wholeFleet({ ...VIEWERS_OF_FLEET, dispatcher: 400, manager: 400 }),
    },
  ],
  'app/api/fleets/[usdot]/export/route.ts': [
    // Nothing is that old.
    {
      path: `${FLEET}/export?from=0&to=1&zone=UTC`,
      gets: wholeFleet({ ...VIEWERS_OF_FLEET, dispatcher: 404, manager: 404 }),
    },
  ],
  'app/api/fleets/[usdot]/handover/route.ts': [
    { path: `${FLEET}/handover?since=1`, gets: wholeFleet(VIEWERS_OF_FLEET) },
    {
      method: 'POST',
      path: `${FLEET}/handover`,
      body: {},
      gets: wholeFleet({ ...VIEWERS_OF_FLEET, dispatcher: 400, manager: 400 }),
    },
  ],
  'app/api/fleets/[usdot]/handover/mail/route.ts': [
    { path: `${FLEET}/handover/mail`, gets: wholeFleet(VIEWERS_OF_FLEET) },
    { method: 'PUT', path: `${FLEET}/handover/mail`, body: {}, gets: wholeFleet(FLEET_BAD_INPUT) },
  ],
  'app/api/fleets/[usdot]/report/route.ts': [
    { path: `${FLEET}/report?from=0&to=1&zone=UTC`, gets: wholeFleet(VIEWERS_OF_FLEET) },
  ],
  'app/api/fleets/[usdot]/recorded-days/route.ts': [
    { path: `${FLEET}/recorded-days?zone=America/Chicago`, gets: signedIn(VIEWERS_OF_FLEET) },
  ],
  'app/api/fleets/[usdot]/tags/route.ts': [
    { path: `${FLEET}/tags`, gets: signedIn(VIEWERS_OF_FLEET) },
    { method: 'POST', path: `${FLEET}/tags`, body: {}, gets: wholeFleet(FLEET_BAD_INPUT) },
  ],
  'app/api/fleets/[usdot]/tails/route.ts': [
    {
      path: `${FLEET}/tails?minutes=60&south=24&west=-125&north=50&east=-66`,
      gets: signedIn(VIEWERS_OF_FLEET),
    },
  ],
  'app/api/fleets/[usdot]/views/[id]/route.ts': [
    { method: 'PATCH', path: `${FLEET}/views/unknown`, body: {}, gets: signedIn(FLEET_BAD_INPUT) },
    { method: 'DELETE', path: `${FLEET}/views/unknown`, gets: signedIn(FLEET_NOTHING) },
  ],
  'app/api/fleets/[usdot]/views/route.ts': [
    { path: `${FLEET}/views`, gets: signedIn(VIEWERS_OF_FLEET) },
    { method: 'POST', path: `${FLEET}/views`, body: {}, gets: signedIn(FLEET_BAD_INPUT) },
  ],
  'app/api/fleets/[usdot]/views/start/route.ts': [
    { method: 'PUT', path: `${FLEET}/views/start`, body: { id: 'unknown' }, gets: signedIn(FLEET_NOTHING) },
  ],
  'app/api/fleets/[usdot]/units/[vin]/trail/export/route.ts': [
    {
      path: `${FLEET}/units/${VIN_PLACE}/trail/export?from=0&to=1&format=gpx&zone=UTC`,
      gets: signedIn(VIEWERS_OF_FLEET),
    },
    {
      path: `${FLEET}/units/${OUTSIDE_PLACE}/trail/export?from=0&to=1&format=gpx&zone=UTC`,
      gets: signedIn(OUTSIDE),
    },
  ],
  'app/api/fleets/[usdot]/units/[vin]/trail/route.ts': [
    { path: `${FLEET}/units/${VIN_PLACE}/trail?from=0&to=1`, gets: signedIn(VIEWERS_OF_FLEET) },
    { path: `${FLEET}/units/${OUTSIDE_PLACE}/trail?from=0&to=1`, gets: signedIn(OUTSIDE) },
  ],
  'app/api/fleets/[usdot]/units/[vin]/route.ts': [
    { path: `${FLEET}/units/${VIN_PLACE}`, gets: signedIn(VIEWERS_OF_FLEET) },
    { path: `${FLEET}/units/${OUTSIDE_PLACE}`, gets: signedIn(OUTSIDE) },
  ],
  'app/api/health/live/route.ts': [{ path: '/api/health/live', gets: all(200) }],
  'app/api/health/ready/route.ts': [{ path: '/api/health/ready', gets: all(200) }],
  'app/api/health/route.ts': [{ path: '/api/health', gets: all(200) }],
  'app/api/fleet-source/demo/route.ts': [
    { method: 'DELETE', path: '/api/fleet-source/demo', gets: signedIn(MANAGERS) },
  ],
  'app/api/fleet-source/route.ts': [
    { method: 'PUT', path: '/api/fleet-source', body: {}, gets: signedIn(MANAGERS_BAD_INPUT) },
  ],
  'app/api/getting-started/route.ts': [
    { path: '/api/getting-started', gets: signedIn(MANAGERS) },
    { method: 'DELETE', path: '/api/getting-started', gets: signedIn({ ...MANAGERS, manager: 204 }) },
  ],
  'app/api/refused-reports/route.ts': [{ path: '/api/refused-reports', gets: signedIn(MANAGERS) }],
  'app/api/ingest-tokens/[id]/route.ts': [
    { method: 'DELETE', path: '/api/ingest-tokens/unknown', gets: signedIn(MANAGERS_NOTHING) },
  ],
  'app/api/ingest-tokens/route.ts': [
    { method: 'POST', path: '/api/ingest-tokens', body: {}, gets: signedIn(MANAGERS_BAD_INPUT) },
  ],
  'app/api/map/route.ts': [{ path: '/api/map', gets: signedIn(VIEWERS) }],
  // The application of the table has no street map.
  'app/api/map/streets/[z]/[x]/[y]/route.ts': [
    {
      path: '/api/map/streets/0/0/0',
      gets: signedIn({ dispatcher: 503, limited: 503, manager: 503, screen: 503 }),
    },
  ],
  'app/api/screen/route.ts': [
    { method: 'POST', path: '/api/screen', body: { token: 'no-link-of-a-screen' }, gets: all(404) },
  ],
  'app/api/screens/[id]/route.ts': [
    {
      method: 'DELETE',
      path: '/api/screens/nothing',
      gets: signedIn(MANAGERS_NOTHING),
    },
  ],
  'app/api/screens/route.ts': [
    { path: '/api/screens', gets: signedIn(MANAGERS) },
    {
      method: 'POST',
      path: '/api/screens',
      body: { name: 'Wall', usdots: [], role: 'manager' },
      gets: signedIn(MANAGERS_BAD_INPUT),
    },
  ],
  'app/api/users/[id]/second-factor/route.ts': [
    {
      method: 'DELETE',
      path: '/api/users/unknown/second-factor',
      gets: signedIn(MANAGERS_NOTHING),
    },
  ],
  'app/api/invitations/[id]/route.ts': [
    { method: 'DELETE', path: '/api/invitations/unknown', gets: signedIn(MANAGERS_NOTHING) },
  ],
  'app/api/invitations/route.ts': [
    { method: 'POST', path: '/api/invitations', body: {}, gets: signedIn(MANAGERS_BAD_INPUT) },
  ],
  // A link token is its own permission: without one, a signed-in user gets nothing.
  'app/api/join/invitation/route.ts': [
    { method: 'POST', path: '/api/join/invitation', body: { token: 'no-invitation' }, gets: all(404) },
  ],
  'app/api/join/route.ts': [{ method: 'POST', path: '/api/join', body: {}, gets: all(400) }],
  'app/api/reset/link/route.ts': [
    { method: 'POST', path: '/api/reset/link', body: { token: 'no-reset' }, gets: all(404) },
  ],
  // No mail server is configured.
  'app/api/reset/mail/route.ts': [
    { method: 'POST', path: '/api/reset/mail', body: { email: 'a@b.test' }, gets: all(404) },
  ],
  'app/api/reset/route.ts': [{ method: 'POST', path: '/api/reset', body: {}, gets: all(400) }],
  'app/api/set-up/route.ts': [{ method: 'POST', path: '/api/set-up', body: {}, gets: all(400) }],
  'app/api/settings/route.ts': [
    { path: '/api/settings', gets: signedIn(MANAGERS) },
    {
      method: 'PATCH',
      path: '/api/settings',
      body: { isSecondFactorRequired: 'yes' },
      gets: signedIn(MANAGERS_BAD_INPUT),
    },
    // This test's environment already sets it.
    {
      method: 'PATCH',
      path: '/api/settings',
      body: { isSecondFactorRequired: false },
      gets: signedIn({ ...MANAGERS, manager: 409 }),
    },
  ],
  'app/api/status/route.ts': [{ path: '/api/status', gets: signedIn(MANAGERS) }],
  'app/api/users/[id]/reset/route.ts': [
    { method: 'POST', path: '/api/users/unknown/reset', body: {}, gets: signedIn(MANAGERS_NOTHING) },
  ],
  'app/api/users/[id]/made/route.ts': [{ path: '/api/users/unknown/made', gets: signedIn(MANAGERS_NOTHING) }],
  'app/api/users/[id]/route.ts': [
    {
      method: 'PATCH',
      path: '/api/users/unknown',
      body: { role: 'manager' },
      gets: signedIn(MANAGERS_NOTHING),
    },
    {
      method: 'PATCH',
      path: '/api/users/unknown',
      body: { role: 'manager', emailVerified: true },
      gets: signedIn(MANAGERS_BAD_INPUT),
    },
  ],
  'app/api/users/route.ts': [{ path: '/api/users', gets: signedIn(MANAGERS) }],
  'app/api/viewer/route.ts': [{ path: '/api/viewer', gets: signedIn(VIEWERS) }],
  // A production build has it for every browser.
  'app/service-worker.js/route.ts': [{ path: '/service-worker.js', gets: all(200) }],
  'app/metrics/route.ts': [
    { path: '/metrics', gets: all(401) },
    { path: '/metrics', headers: { authorization: `Bearer ${ACCESS_METRICS_TOKEN}` }, gets: all(200) },
  ],
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
  'app/api-keys/page.tsx': [{ path: '/api-keys', gets: page(MANAGERS_PAGE) }],
  'app/devices/page.tsx': [{ path: '/devices', gets: page(MANAGERS_PAGE) }],
  'app/account/page.tsx': [
    { path: '/account', gets: { ...page({ ...OWNERS, screen: 404 }), unguarded: 200 } },
  ],
  'app/audit/page.tsx': [{ path: '/audit', gets: page(MANAGERS_PAGE) }],
  'app/fleets/[usdot]/alerts/page.tsx': [{ path: `${FLEET_PAGE}/alerts`, gets: page(FLEET_PAGES) }],
  'app/fleets/[usdot]/page.tsx': [{ path: FLEET_PAGE, gets: page(VIEWERS_OF_MAP) }],
  'app/fleets/[usdot]/handover/page.tsx': [
    { path: `${FLEET_PAGE}/handover`, gets: page({ ...FLEET_PAGES, tagged: 404 }) },
  ],
  'app/fleets/[usdot]/history/page.tsx': [
    { path: `${FLEET_PAGE}/history`, gets: page({ ...FLEET_PAGES, tagged: 404 }) },
  ],
  'app/fleets/[usdot]/sites/[id]/page.tsx': [{ path: `${FLEET_PAGE}/sites/1`, gets: page(FLEET_PAGES) }],
  'app/fleets/[usdot]/sites/page.tsx': [{ path: `${FLEET_PAGE}/sites`, gets: page(FLEET_PAGES) }],
  'app/fleets/[usdot]/roster/page.tsx': [{ path: `${FLEET_PAGE}/roster`, gets: page(FLEET_PAGES) }],
  'app/fleets/[usdot]/units/[vin]/page.tsx': [
    { path: `${FLEET_PAGE}/units/${VIN_PLACE}`, gets: page(FLEET_PAGES) },
  ],
  'app/offline/page.tsx': [{ path: '/offline', gets: all(200) }],
  'app/join/page.tsx': [{ path: '/join', gets: all(200) }],
  'app/reset/page.tsx': [{ path: '/reset', gets: all(200) }],
  'app/sign-in/forgotten/page.tsx': [{ path: '/sign-in/forgotten', gets: all(404) }],
  'app/users/page.tsx': [{ path: '/users', gets: page(MANAGERS_PAGE) }],
  'app/refused-reports/page.tsx': [{ path: '/refused-reports', gets: page(MANAGERS_PAGE) }],
  'app/fleet-source/page.tsx': [{ path: '/fleet-source', gets: page(MANAGERS_PAGE) }],
  'app/help/page.tsx': [{ path: '/help', gets: page(VIEWERS) }],
  // Redirects to the first fleet in the viewer's scope.
  'app/page.tsx': [{ path: '/', gets: page(VIEWERS) }],
  'app/screen/page.tsx': [{ path: '/screen', gets: all(200) }],
  'app/screens/page.tsx': [{ path: '/screens', gets: page(MANAGERS_PAGE) }],
  'app/settings/page.tsx': [{ path: '/settings', gets: page(MANAGERS_PAGE) }],
  'app/set-up/page.tsx': [{ path: '/set-up', gets: all('sign-in') }],
  'app/sign-in/page.tsx': [
    {
      path: '/sign-in',
      gets: {
        ...all(200),
        dispatcher: 307,
        limited: 307,
        tagged: 307,
        manager: 307,
        screen: 307,
        unguarded: 307,
      },
    },
  ],
  'app/status/page.tsx': [{ path: '/status', gets: page(MANAGERS_PAGE) }],
};
