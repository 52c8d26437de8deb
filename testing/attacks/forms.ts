import { PASSWORD } from '@/testing/auth/sign-in';

/** A form as our own pages send it, by the name of its route (`readChangingRoutes`). */
export interface Form {
  route: string;
  path: string;
  params?: Record<string, string>;
  body: Record<string, unknown>;
  /** Its free-text fields, by their path in the form. */
  texts?: string[];
}

export const USDOT = '9000001';
const TOKEN = 'no-such-token';
const ACCESS = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };
const SITE = {
  name: 'Yard',
  kind: 'yard',
  color: '#2f7de1',
  notes: 'Gate 4',
  openingHours: { timeZone: 'America/Chicago', days: [{ weekdays: [1], fromMin: 480, toMin: 1020 }] },
  marginM: 75,
  shape: { type: 'circle', lat: 35, lng: -101, radiusM: 250 },
};
const RULE = {
  name: 'Late trucks',
  condition: { kind: 'late' },
  units: { type: 'tags', tags: ['flatbed'] },
  schedule: { timeZone: 'America/Chicago', days: [{ weekdays: [1], fromMin: 480, toMin: 1020 }] },
  severity: 'info',
  coolDownMin: 60,
  isEnabled: true,
};
const WEBHOOK = { name: 'Hook', url: 'https://hooks.example.com/', minSeverity: 'info', isEnabled: true };
const CONTACT = {
  ...{ driver: 'Ann Lee', driverPhone: '(512) 555-0123', secondDriver: '', secondDriverPhone: '' },
  ...{ dispatcher: 'Kim', dispatcherPhone: '', text: 'Sleeps until 2 PM' },
};
const LOAD = {
  ...{ reference: '8841', po: 'PO 17', bol: 'B 3', customer: 'Peachtree Paper', note: 'Call first' },
  ...{ tags: ['hot'], unit: '1M8GDM9AXKP042788' },
  mails: { addresses: ['kim@peachtree.test'], about: ['pickup', 'late'], language: 'es' },
  stops: [
    {
      ...{
        kind: 'delivery',
        siteId: null,
        place: { name: 'Dock 4', lat: 35.9, lng: -101 },
        address: '1 Main St',
      },
      ...{
        appointment: { fromMs: 1, toMs: 2 },
        freeMin: 120,
        contactName: 'Kim',
        contactPhone: '512 555 0123',
      },
    },
  ],
};
const LOAD_TEXTS = [
  'reference',
  'po',
  'bol',
  'customer',
  'note',
  'tags.0',
  'unit',
  'stops.0',
  'mails.addresses.0',
  'mails.about.0',
];
const SHARE = {
  ...{ recipient: 'Peachtree Paper', precision: 'exact', fields: ['status', 'heading'], delayMin: 0 },
  items: [{ loadId: null, unit: '1M8GDM9AXKP042788', alias: 'Blue truck' }],
  ...{ endsMs: Date.now() + 86_400_000, endsOn: null, endsAtStop: null, endsAtSite: null },
  ...{ showsEnd: true, frameOrigins: ['https://portal.example.com'] },
};
const SHARE_TEXTS = ['recipient', 'items.0.unit', 'items.0.alias', 'frameOrigins.0'];
const CONTACT_TEXTS = Object.keys(CONTACT);
const key = { name: 'Dispatch', access: ACCESS };
const auth = (path: string, body: Record<string, unknown>): Form => ({
  route: 'POST api/auth/[...path]',
  path: `/api/auth/${path}`,
  body,
  texts: Object.keys(body),
});

/** Every form; `userId` is the id of a user who may be changed. */
export const listForms = (userId: string): Form[] => [
  auth('sign-in/email', { email: 'ann@carrier.test', password: PASSWORD }),
  auth('sign-in/second-factor', { code: '123456' }),
  {
    route: 'POST api/set-up',
    path: '/api/set-up',
    body: { code: 'CODE', name: 'Ann', email: 'first@carrier.test', password: PASSWORD },
    texts: ['code', 'name', 'email', 'password'],
  },
  {
    route: 'POST api/join/invitation',
    path: '/api/join/invitation',
    body: { token: TOKEN },
    texts: ['token'],
  },
  {
    route: 'POST api/join',
    path: '/api/join',
    body: { token: TOKEN, name: 'Ann', password: PASSWORD },
    texts: ['token', 'name', 'password'],
  },
  {
    route: 'POST api/reset/link',
    path: '/api/reset/link',
    body: { token: TOKEN },
    texts: ['token'],
  },
  {
    route: 'POST api/reset',
    path: '/api/reset',
    body: { token: TOKEN, password: PASSWORD },
    texts: ['token', 'password'],
  },
  {
    route: 'POST api/reset/mail',
    path: '/api/reset/mail',
    body: { email: 'ann@carrier.test' },
    texts: ['email'],
  },
  { route: 'POST api/screen', path: '/api/screen', body: { token: TOKEN }, texts: ['token'] },
  {
    route: 'PUT api/fleet-source',
    path: '/api/fleet-source',
    // Nothing listens there: the provider is refused, and the source stays.
    body: {
      source: {
        kind: 'provider',
        provider: { baseUrl: 'http://127.0.0.1:9', apiKey: 'key', providerToken: 'token', usdot: '' },
      },
      manager: null,
    },
    texts: ['baseUrl', 'apiKey', 'providerToken', 'usdot'].map((field) => `source.provider.${field}`),
  },
  {
    route: 'PUT api/account/password',
    path: '/api/account/password',
    body: { password: 'not mine', newPassword: 'another long enough password' },
    texts: ['password'],
  },
  {
    route: 'POST api/account/recovery-codes',
    path: '/api/account/recovery-codes',
    body: { password: 'not mine' },
  },
  {
    route: 'POST api/account/second-factor',
    path: '/api/account/second-factor',
    body: { password: 'not mine' },
    texts: ['password'],
  },
  {
    route: 'PUT api/account/second-factor',
    path: '/api/account/second-factor',
    body: { code: '123456' },
    texts: ['code'],
  },
  {
    route: 'DELETE api/account/second-factor',
    path: '/api/account/second-factor',
    body: { password: 'not mine' },
  },
  {
    route: 'PATCH api/users/[id]',
    path: `/api/users/${userId}`,
    params: { id: userId },
    body: { name: 'Ben' },
    texts: ['name', 'role', 'usdots.0', 'tags.0'],
  },
  {
    route: 'POST api/invitations',
    path: '/api/invitations',
    body: { email: 'new@carrier.test', role: 'dispatcher', usdots: [USDOT], tags: ['night shift'], days: 7 },
    texts: ['email', 'role', 'usdots.0', 'tags.0'],
  },
  {
    route: 'POST api/screens',
    path: '/api/screens',
    body: { name: 'Yard', usdots: [USDOT] },
    texts: ['name', 'usdots.0'],
  },
  {
    route: 'PATCH api/settings',
    path: '/api/settings',
    body: { flags: { badVin: { enterMs: 0, leaveMs: 60_000 } } },
    texts: ['flags.badVin.enterMs'],
  },
  {
    route: 'POST api/api-keys',
    path: '/api/api-keys',
    body: { usdot: USDOT, ...key },
    texts: ['usdot', 'name', 'access.endpoints.0', 'access.allowedNetworks.0'],
  },
  {
    route: 'POST api/load-keys',
    path: '/api/load-keys',
    body: { usdot: USDOT, name: 'TMS', expiresAtMs: null },
    texts: ['usdot', 'name'],
  },
  {
    route: 'PATCH api/api-keys/[id]',
    path: '/api/api-keys/none',
    params: { id: 'none' },
    body: key,
    texts: ['name', 'access.endpoints.0', 'access.allowedNetworks.0'],
  },
  {
    route: 'POST api/api-keys/[id]/rotate',
    path: '/api/api-keys/none/rotate',
    params: { id: 'none' },
    body: { overlapMs: 0 },
  },
  {
    route: 'POST api/ingest-tokens',
    path: '/api/ingest-tokens',
    body: { usdot: USDOT, name: 'Phones' },
    texts: ['usdot', 'name'],
  },
  {
    route: 'POST api/devices',
    path: '/api/devices',
    body: { usdot: USDOT, vin: '1M8GDM9AXKP042788', truckNumber: '1', deviceId: 'd1' },
    texts: ['usdot', 'vin', 'truckNumber', 'deviceId'],
  },
  {
    route: 'PATCH api/devices',
    path: '/api/devices',
    body: { usdot: USDOT, vin: '1M8GDM9AXKP042788', truckNumber: '2', deviceId: 'd2' },
    texts: ['usdot', 'vin', 'truckNumber', 'deviceId'],
  },
  {
    route: 'PATCH api/devices',
    path: '/api/devices',
    body: { usdot: USDOT, vin: '1M8GDM9AXKP042788', truckNumber: '1', deviceId: 'd1' },
    texts: ['usdot', 'vin', 'truckNumber', 'deviceId'],
  },
  {
    route: 'DELETE api/devices',
    path: '/api/devices',
    body: { usdot: USDOT, vin: '1XKYD49X0KJ999998' },
    texts: ['usdot', 'vin'],
  },
  {
    route: 'POST api/devices/import',
    path: '/api/devices/import',
    body: { usdot: USDOT, file: btoa('vin,truck_number\n1M8GDM9AXKP042788,1\n'), confirmed: null },
    texts: ['usdot', 'file', 'confirmed'],
  },
  {
    route: 'POST api/fleets/[usdot]/sites',
    path: `/api/fleets/${USDOT}/sites`,
    params: { usdot: USDOT },
    body: SITE,
    texts: ['name', 'color', 'notes', 'openingHours.timeZone'],
  },
  {
    route: 'PATCH api/fleets/[usdot]/sites/[id]',
    path: `/api/fleets/${USDOT}/sites/1`,
    params: { usdot: USDOT, id: '1' },
    body: SITE,
    texts: ['name', 'notes', 'openingHours.timeZone'],
  },
  {
    route: 'POST api/fleets/[usdot]/sites/import',
    path: `/api/fleets/${USDOT}/sites/import`,
    params: { usdot: USDOT },
    body: { sites: [SITE] },
    texts: ['sites.0'],
  },
  {
    route: 'POST api/fleets/[usdot]/alert-rules',
    path: `/api/fleets/${USDOT}/alert-rules`,
    params: { usdot: USDOT },
    body: { ...RULE, isOwn: false },
    texts: ['name', 'condition.kind', 'units.tags.0', 'schedule.timeZone', 'severity'],
  },
  {
    route: 'POST api/fleets/[usdot]/alert-rules/preview',
    path: `/api/fleets/${USDOT}/alert-rules/preview`,
    params: { usdot: USDOT },
    body: { ...RULE, isOwn: false },
    texts: ['name', 'condition.kind', 'units.tags.0', 'schedule.timeZone', 'severity'],
  },
  {
    route: 'PATCH api/fleets/[usdot]/alert-rules/[id]',
    path: `/api/fleets/${USDOT}/alert-rules/1`,
    params: { usdot: USDOT, id: '1' },
    body: RULE,
    texts: ['name', 'schedule.timeZone'],
  },
  {
    route: 'POST api/fleets/[usdot]/alerts/read',
    path: `/api/fleets/${USDOT}/alerts/read`,
    params: { usdot: USDOT },
    body: { lastAlertId: 0 },
  },
  {
    route: 'POST api/fleets/[usdot]/alerts/change',
    path: `/api/fleets/${USDOT}/alerts/change`,
    params: { usdot: USDOT },
    body: { alertIds: [1], isAcknowledged: true, isClosed: false, note: 'On it' },
    texts: ['note'],
  },
  {
    route: 'POST api/fleets/[usdot]/alerts/[id]/acknowledge',
    path: `/api/fleets/${USDOT}/alerts/1/acknowledge`,
    params: { usdot: USDOT, id: '1' },
    body: { note: 'On it' },
    texts: ['note'],
  },
  {
    route: 'POST api/fleets/[usdot]/handover',
    path: `/api/fleets/${USDOT}/handover`,
    params: { usdot: USDOT },
    body: { atMs: 1 },
  },
  {
    route: 'PUT api/fleets/[usdot]/handover/mail',
    path: `/api/fleets/${USDOT}/handover/mail`,
    params: { usdot: USDOT },
    body: { atMin: 360, timeZone: 'America/Chicago', weekdays: [1, 2, 3, 4, 5], hours: 24 },
    texts: ['timeZone'],
  },
  {
    route: 'POST api/fleets/[usdot]/webhooks',
    path: `/api/fleets/${USDOT}/webhooks`,
    params: { usdot: USDOT },
    body: WEBHOOK,
    texts: ['name', 'url', 'minSeverity'],
  },
  {
    route: 'PATCH api/fleets/[usdot]/webhooks/[id]',
    path: `/api/fleets/${USDOT}/webhooks/1`,
    params: { usdot: USDOT, id: '1' },
    body: WEBHOOK,
    texts: ['name', 'url'],
  },
  {
    route: 'PUT api/alert-preferences',
    path: '/api/alert-preferences',
    body: {
      email: 'off',
      push: false,
      sound: true,
      desktop: true,
      minSeverity: 'info',
      quietHours: RULE.schedule,
    },
    texts: ['email', 'minSeverity', 'quietHours.timeZone'],
  },
  {
    route: 'POST api/push-subscriptions',
    path: '/api/push-subscriptions',
    body: {
      endpoint: 'https://push.example.com/1',
      keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) },
    },
    texts: ['endpoint', 'keys.p256dh', 'keys.auth'],
  },
  {
    route: 'DELETE api/push-subscriptions',
    path: '/api/push-subscriptions',
    body: { endpoint: 'https://push.example.com/1' },
    texts: ['endpoint'],
  },
  {
    route: 'POST api/fleets/[usdot]/attempt',
    path: `/api/fleets/${USDOT}/attempt`,
    params: { usdot: USDOT },
    body: {},
  },
  {
    route: 'PUT api/fleets/[usdot]/contacts',
    path: `/api/fleets/${USDOT}/contacts`,
    params: { usdot: USDOT },
    body: { unit: 'none', ...CONTACT },
    texts: ['unit', ...CONTACT_TEXTS],
  },
  {
    route: 'POST api/fleets/[usdot]/contacts/import',
    path: `/api/fleets/${USDOT}/contacts/import`,
    params: { usdot: USDOT },
    body: { contacts: [{ unit: 'none', ...CONTACT }] },
    texts: ['contacts.0.unit', ...CONTACT_TEXTS.map((field) => `contacts.0.${field}`)],
  },
  {
    route: 'POST api/fleets/[usdot]/loads',
    path: `/api/fleets/${USDOT}/loads`,
    params: { usdot: USDOT },
    body: LOAD,
    texts: LOAD_TEXTS,
  },
  {
    route: 'POST api/fleets/[usdot]/loads/import',
    path: `/api/fleets/${USDOT}/loads/import`,
    params: { usdot: USDOT },
    body: {
      isPreview: true,
      loads: [
        {
          ...{ reference: '8842', po: 'PO 18' },
          stops: LOAD.stops.map((stop) => ({
            ...stop,
            appointment: { from: '2026-03-02T08:00', to: '2026-03-02T10:00' },
          })),
        },
      ],
    },
    texts: ['loads.0'],
  },
  {
    route: 'PUT api/fleets/[usdot]/loads/[id]',
    path: `/api/fleets/${USDOT}/loads/1`,
    params: { usdot: USDOT, id: '1' },
    body: LOAD,
    texts: LOAD_TEXTS,
  },
  {
    route: 'POST api/fleets/[usdot]/calendars',
    path: `/api/fleets/${USDOT}/calendars`,
    params: { usdot: USDOT },
    body: { siteId: 1, recipient: 'Dallas dock', language: 'es', showsTruck: true, endsMs: null },
    texts: ['recipient', 'language'],
  },
  {
    route: 'PUT api/fleets/[usdot]/detention/terms',
    path: `/api/fleets/${USDOT}/detention/terms`,
    params: { usdot: USDOT },
    body: {
      ...{ of: 'customer', customer: 'Acme Foods', siteId: null, loadId: null },
      terms: { freeMin: 120, countedFrom: 'arrival', rateCents: 5000, stepMin: 15, capCents: null },
    },
    texts: ['customer'],
  },
  {
    route: 'PUT api/fleets/[usdot]/detention/dismissals',
    path: `/api/fleets/${USDOT}/detention/dismissals`,
    params: { usdot: USDOT },
    body: { stay: { unit: '1M8GDM9AXKP042788', siteId: 1, arrivedMs: 1_795_000_000_000 }, isDismissed: true },
    texts: ['stay.unit'],
  },
  {
    route: 'POST api/fleets/[usdot]/detention/statements',
    path: `/api/fleets/${USDOT}/detention/statements`,
    params: { usdot: USDOT },
    body: {
      stay: { unit: '1M8GDM9AXKP042788', siteId: 1, arrivedMs: 1_795_000_000_000 },
      ...{ isShownByNumber: true, amountCents: 0 },
    },
    texts: ['stay.unit'],
  },
  {
    route: 'POST api/fleets/[usdot]/proof/[number]/mail',
    path: `/api/fleets/${USDOT}/proof/none/mail`,
    params: { usdot: USDOT, number: 'none' },
    body: { address: 'kim@peachtree.test' },
    texts: ['address'],
  },
  {
    route: 'PUT api/fleets/[usdot]/proof/[number]',
    path: `/api/fleets/${USDOT}/proof/none`,
    params: { usdot: USDOT, number: 'none' },
    body: { isShownByNumber: true },
  },
  {
    route: 'POST api/fleets/[usdot]/certificates',
    path: `/api/fleets/${USDOT}/certificates`,
    params: { usdot: USDOT },
    body: {
      ...{ unit: '1M8GDM9AXKP042788', fromMs: 1, toMs: 2, fields: ['vin'] },
      isShownByNumber: false,
    },
    texts: ['unit', 'fields.0'],
  },
  {
    route: 'PUT api/fleets/[usdot]/calendars/[id]',
    path: `/api/fleets/${USDOT}/calendars/1`,
    params: { usdot: USDOT, id: '1' },
    body: { recipient: 'Dallas dock', language: 'es', showsTruck: true, endsMs: null },
    texts: ['recipient', 'language'],
  },
  {
    route: 'POST api/fleets/[usdot]/shares',
    path: `/api/fleets/${USDOT}/shares`,
    params: { usdot: USDOT },
    body: SHARE,
    texts: SHARE_TEXTS,
  },
  {
    route: 'PUT api/fleets/[usdot]/shares/[id]',
    path: `/api/fleets/${USDOT}/shares/1`,
    params: { usdot: USDOT, id: '1' },
    body: SHARE,
    texts: SHARE_TEXTS,
  },
  {
    route: 'POST api/fleets/[usdot]/notes',
    path: `/api/fleets/${USDOT}/notes`,
    params: { usdot: USDOT },
    body: { unit: '1M8GDM9AXKP042788', text: 'Brakes, at shop until Friday', expiresMs: null },
    texts: ['unit', 'text'],
  },
  {
    route: 'POST api/fleets/[usdot]/tags',
    path: `/api/fleets/${USDOT}/tags`,
    params: { usdot: USDOT },
    body: { change: 'add', tag: 'flatbeds', units: ['1M8GDM9AXKP042788'] },
    texts: ['tag', 'units.0'],
  },
  {
    route: 'POST api/fleets/[usdot]/views',
    path: `/api/fleets/${USDOT}/views`,
    params: { usdot: USDOT },
    body: { name: 'Night shift', search: '?status=moving', isShared: false, isStart: false },
    texts: ['name', 'search'],
  },
  {
    route: 'PATCH api/fleets/[usdot]/views/[id]',
    path: `/api/fleets/${USDOT}/views/none`,
    params: { usdot: USDOT, id: 'none' },
    body: { name: 'Night shift' },
    texts: ['name', 'search'],
  },
  {
    route: 'PUT api/fleets/[usdot]/views/start',
    path: `/api/fleets/${USDOT}/views/start`,
    params: { usdot: USDOT },
    body: { id: null },
    texts: ['id'],
  },
];

/** Routes that change something and read no form. */
export const WITHOUT_FORM = [
  'DELETE api/load-keys/[id]',
  // Those of programs, with keys in place of sessions: app/attacks/load-keys.test.ts.
  'PUT api/v1/loads/[reference]',
  'DELETE api/v1/loads/[reference]',
  'DELETE api/fleets/[usdot]/loads/[id]',
  'POST api/fleets/[usdot]/loads/[id]/end',
  'POST api/fleets/[usdot]/loads/[id]/pickup-code',
  'DELETE api/fleets/[usdot]/loads/[id]/pickup-code',
  // A form of a page without scripts: lib/pickup-check/server/checks.test.ts.
  'POST p/[token]',
  // A page's own form, of a text that is no JSON of ours until it is read: lib/proof/server/page/verify-answer.test.ts.
  'POST verify',
  'POST api/proof-keys',
  'DELETE api/proof-keys/[id]',
  'DELETE api/fleets/[usdot]/shares/[id]',
  'DELETE api/fleets/[usdot]/calendars/[id]',
  // That of mail programs, with a signed token in its address.
  'POST u/[token]',
  'POST api/fleets/[usdot]/deliveries/[id]/replay',
  'POST api/fleets/[usdot]/webhooks/[id]/test',
  'DELETE api/fleet-source/demo',
  'DELETE api/getting-started',
  'DELETE api/account/sessions',
  'DELETE api/account/sessions/[id]',
  'DELETE api/api-keys/[id]',
  'DELETE api/fleets/[usdot]/sites/[id]',
  'DELETE api/fleets/[usdot]/alert-rules/[id]',
  'DELETE api/fleets/[usdot]/notes/[id]',
  'DELETE api/fleets/[usdot]/views/[id]',
  'DELETE api/fleets/[usdot]/webhooks/[id]',
  'DELETE api/push-subscriptions/[id]',
  'DELETE api/ingest-tokens/[id]',
  'DELETE api/invitations/[id]',
  'DELETE api/screens/[id]',
  'DELETE api/users/[id]/second-factor',
  'POST api/users/[id]/reset',
];
