/** Links for customers, calendars of sites and the addresses at which mails are ended, over HTTP as anyone can send it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { readRuntime } from '@/server/runtime';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { toEndPath } from '@/lib/customer-mails/server/end-mails';
import { dumpChanges } from '@/testing/dump';
import { HOSTILE } from '@/testing/attacks/hostile';
import { headersOf, listenTo, sendTo, sentOf, type Answer, type Listening } from '@/testing/attacks/http';
import { startAttackedServer, type AttackedServer } from '@/testing/attacks/server';
import { openPool } from '@/testing/history/recording';
import { IS_LONG } from '@/testing/long';
import { unitAt } from '@/testing/live/tracked-units';
import { parseICalendar } from '@/testing/shares/parse-icalendar';
import { RecordedFeed } from '@/testing/shares/recorded-feed';
import { GET as listCalendars, POST as addCalendar } from '../api/fleets/[usdot]/calendars/route';
import { GET as readCalendarLink } from '../api/fleets/[usdot]/calendars/[id]/link/route';
import { DELETE as revokeCalendar } from '../api/fleets/[usdot]/calendars/[id]/route';
import { POST as addLoad } from '../api/fleets/[usdot]/loads/route';
import { GET as listShares, POST as addShare } from '../api/fleets/[usdot]/shares/route';
import { GET as readShareLink } from '../api/fleets/[usdot]/shares/[id]/link/route';
import { GET as readOpenings } from '../api/fleets/[usdot]/shares/[id]/openings/route';
import { DELETE as revokeShare, PUT as changeShare } from '../api/fleets/[usdot]/shares/[id]/route';
import { POST as addSite } from '../api/fleets/[usdot]/sites/route';
import { GET as openCalendar } from '../t/[token]/calendar.ics/route';
import { GET as openLink } from '../t/[token]/route';
import { POST as endMails } from '../u/[token]/route';

const [USDOT, OTHER_USDOT] = ['9000001', '9000066'];
const PORTAL = 'https://portal.example.com';
const KIM = 'kim@peachtree.test';
const TICK_MS = 50;
const DAY_MS = 86_400_000;
const [AT, STOP] = [
  { lat: 35.20431, lng: -101.83127 },
  { lat: 36.1, lng: -101.83 },
];

let server: AttackedServer;
let pool: Pool;
/** Behind one proxy of the owner's, which names the client; and open to all, where what a client says of itself is nothing. */
let behindProxy: Listening;
let open: Listening;
let manager: string;
/** The truck that the links are about, and another one. */
let [unit, outside] = ['', ''];
let feed: RecordedFeed;
const logged: string[] = [];

const listen = (trustedProxies: number): Promise<Listening> =>
  listenTo({
    ...{ trustedProxies, logged },
    fastRoutes: { share: openLink, calendar: openCalendar, endMails },
  });

/** Sends a request from a client of its own. */
const ask = (
  path: string,
  { to = behindProxy, ...sent } = {} as Parameters<typeof sendTo>[2] & { to?: Listening },
): Promise<Answer> => sendTo(to, path, sent);

const call = async <T>(
  handler: Parameters<AttackedServer['ask']>[0],
  {
    method = 'GET',
    usdot = USDOT,
    id,
    body,
    cookie = manager,
  }: { method?: string; usdot?: string; id?: string; body?: unknown; cookie?: string } = {},
): Promise<{ status: number; text: string; json: T }> => {
  const { status, text } = await server.ask(handler, '/api/fleets/x', {
    params: { usdot, ...(id !== undefined && { id }) },
    cookie,
    init: {
      method,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  });
  return { status, text, json: (text === '' ? null : JSON.parse(text)) as T };
};

const toShare = (changes: object) => ({
  ...{ recipient: 'Peachtree Paper', precision: 'exact', delayMin: 0 },
  fields: ['status', 'heading', 'window', 'stops', 'trail', 'truckNumber'],
  items: [{ loadId: null, unit, alias: '' }],
  ...{ endsMs: Date.now() + DAY_MS, endsOn: null, endsAtStop: null, endsAtSite: null },
  ...{ showsEnd: true, frameOrigins: [] as string[], ...changes },
});
interface Link {
  id: string;
  path: string;
  token: string;
}
const pathOf = (link: string): string => new URL(link, 'http://x').pathname;
const makeShare = async (changes: object = {}, cookie = manager): Promise<Link> => {
  const made = await call<{ id: string; link: string }>(addShare, {
    ...{ method: 'POST', body: toShare(changes), cookie },
  });
  expect(made.status, made.text).toBe(200);
  const path = pathOf(made.json.link);
  return { id: made.json.id, path, token: path.split('/')[2]! };
};
const makeSite = async (name: string): Promise<{ status: number; id: number }> => {
  const site = { name, kind: 'yard', color: '#2f7de1', notes: '', openingHours: null, marginM: 75 };
  const shape = { type: 'circle', ...STOP, radiusM: 250 };
  const { status, json } = await call<{ id: number }>(addSite, { method: 'POST', body: { ...site, shape } });
  return { status, id: json.id };
};
const toCalendar = (changes: object) => ({
  ...{ recipient: 'Dock', language: 'en', showsTruck: true, endsMs: null, ...changes },
});
const makeCalendar = async (siteId: number, changes: object = {}, cookie = manager): Promise<Link> => {
  const body = toCalendar({ siteId, ...changes });
  const made = await call<{ id: string; link: string }>(addCalendar, { method: 'POST', body, cookie });
  expect(made.status, made.text).toBe(200);
  const path = pathOf(made.json.link);
  return { id: made.json.id, path, token: path.split('/')[2]! };
};
const toLoad = (changes: object = {}) => ({
  ...{ reference: '8841', po: '', bol: '', customer: '', note: '', tags: [], unit },
  stops: [
    {
      ...{ kind: 'delivery', siteId: null, place: { name: 'Dock 4', ...STOP }, address: '1 Main St' },
      appointment: { fromMs: Date.now() + DAY_MS, toMs: Date.now() + DAY_MS + 3_600_000 },
    },
  ],
  ...changes,
});
const makeLoad = async (changes: object = {}, usdot = USDOT): Promise<number> => {
  const made = await call<{ id: number }>(addLoad, { method: 'POST', usdot, body: toLoad(changes) });
  expect(made.status, made.text).toBe(200);
  return made.json.id;
};

/** A poll in which the truck is so far north of where it was first, m. */
const poll = async (northM: number): Promise<void> => {
  const nowMs = Date.now();
  const units = [unit, outside].map((key, i) =>
    unitAt(key, 0, 0, {
      position: { lat: AT.lat + northM / 111_195 + i, lng: AT.lng },
      fixAtMs: nowMs - SECOND_MS,
    }),
  );
  await feed.poll(units, nowMs);
};
/** A revocation or a change holds on every server after it. */
const untilHeld = () => new Promise((resolve) => setTimeout(resolve, 1050));

beforeAll(async () => {
  server = await startAttackedServer({
    isEmbedded: true,
    variables: {
      ...{ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'fleet@carrier.test' },
      PUBLIC_URL: 'http://fleet.test:3000',
    },
  });
  // What is shown is recorded by the test, so that nothing else changes the database.
  Object.assign(readRuntime(), { history: {} });
  manager = (await server.signInAs('ann', 'manager', null)).cookie;
  const vehicles = await server.query(`select vin from tracking.vehicles where usdot = $1 order by 1`, [
    USDOT,
  ]);
  [unit, outside] = vehicles.map(({ vin }) => vin as string) as [string, string];
  await server.query(
    `insert into linehaul.unit_tags (usdot, tag, unit) values ($1, 'flatbed', $2), ($1, 'reefer', $3)`,
    [USDOT, unit, outside],
  );
  pool = openPool(server.databaseUrl);
  feed = new RecordedFeed(pool, USDOT);
  await feed.start(Date.now() - 5 * MINUTE_MS);
  await poll(0);
  behindProxy = await listen(1);
  open = await listen(0);
}, 60_000);
afterAll(async () => {
  for (const each of [behindProxy, open]) each?.close();
  await pool?.end();
  await server?.close();
});

/** Spellings of a token that is one, each of which opens nothing. */
const toSpellings = (token: string): string[] => [
  ...['', '.', '..', '__proto__', 'constructor', token.slice(1), token.slice(0, -1), `${token}A`],
  ...[token.toUpperCase(), token.toLowerCase(), `${token}${token}`, `${token},${token}`, `${token}/`],
  ...[`${token}//`, `${token}/../${token.slice(1)}`, `x/../${token}`, `./${token}`, `${token}%2f`],
  ...[`%20${token}`, `${token}%20`, `${token}%00`, `${token}%0a`, `${token};x`, `${token}.`, `${token}\\`],
  ...[`%${token.charCodeAt(0).toString(16)}${token.slice(1)}`, token.replace(/.$/, '%EF%BC%A1')],
  ...[`%E2%80%AE${token}`, `${token}/calendar.icsx`, `${token}/index.html`, 'x'.repeat(3500)],
];

const withOtherStart = (token: string): string => `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}`;

/** Openings are written some seconds after they are counted. */
const dumpStored = async (): Promise<Record<string, string[]>> => {
  await readRuntime().shares.flush();
  return dumpChanges(server.databaseUrl);
};

it('one answer, no sooner than a tick: a link that never was, was revoked or ended in silence, and any other text', async () => {
  const links = {
    open: await makeShare(),
    revoked: await makeShare(),
    silent: await makeShare({ showsEnd: false }),
    said: await makeShare(),
    removed: await makeShare({
      ...{ endsMs: null, endsOn: 'delivery', showsEnd: false },
      items: [{ loadId: await makeLoad({ reference: 'gone' }), unit: null, alias: '' }],
    }),
  };
  const site = await makeSite('Dock of calendars');
  const gone = await makeSite('Dock that goes');
  const calendars = {
    open: await makeCalendar(site.id),
    revoked: await makeCalendar(site.id),
    ended: await makeCalendar(site.id),
    ofNoSite: await makeCalendar(gone.id),
  };
  for (const { path } of [...Object.values(links), ...Object.values(calendars)])
    expect((await ask(path)).status, path).toBe(200);
  await call(revokeShare, { method: 'DELETE', id: links.revoked.id });
  await call(revokeCalendar, { method: 'DELETE', id: calendars.revoked.id });
  await server.query(`update linehaul.shares set ends_ms = $1 where id = any($2)`, [
    Date.now() - 1000,
    [links.silent.id, links.said.id],
  ]);
  await server.query(`update linehaul.site_calendars set ends_ms = 1 where id = $1`, [calendars.ended.id]);
  await server.query(`delete from linehaul.sites where id = $1`, [gone.id]);
  await server.query(`delete from linehaul.loads where reference = 'gone'`);
  await untilHeld();

  const nothing = await ask(`/t/${'A'.repeat(27)}`);
  expect([nothing.status, nothing.text.includes('Nothing is shown here')]).toEqual([404, true]);
  const noCalendar = await ask(`/t/${'A'.repeat(27)}/calendar.ics`);
  expect([noCalendar.status, noCalendar.text]).toEqual([404, 'Nothing is shown here.\n']);
  const pages = [
    ...[links.revoked, links.silent, links.removed].map(({ path }) => path),
    ...toSpellings(links.open.token).map((text) => `/t/${text}`),
    // The token of a calendar opens no page.
    ...Object.values(calendars).map(({ token }) => `/t/${token}`),
  ];
  const expectAlike = async (path: string, expected: Answer, headers: Record<string, string> = {}) => {
    const answer = await ask(path, { headers });
    expect(sentOf(answer), path).toEqual(sentOf(expected));
    expect(answer.tookMs, path).toBeGreaterThan(TICK_MS - 1);
  };
  await Promise.all(
    pages.flatMap((path) => [
      expectAlike(path, nothing),
      expectAlike(path, nothing, { 'if-none-match': '*', cookie: manager }),
    ]),
  );
  const files = [
    ...[calendars.revoked, calendars.ended, calendars.ofNoSite].map(({ path }) => path),
    ...Object.values(links).map(({ path }) => `${path}/calendar.ics`),
    ...[`/t/${withOtherStart(calendars.open.token)}/calendar.ics`, `/t/${'x'.repeat(3500)}/calendar.ics`],
    ...[`/t/${calendars.open.token.toUpperCase()}/calendar.ics`, `/t/__proto__/calendar.ics`],
  ];
  await Promise.all(files.map((path) => expectAlike(path, noCalendar)));
  const said = await ask(links.said.path, { headers: { 'if-none-match': '*' } });
  expect([said.status, said.headers.etag, said.text.includes('This has ended')]).toEqual([
    410,
    undefined,
    true,
  ]);
  expect((await ask(links.open.path)).status).toBe(200);
  expect((await ask(calendars.open.path)).status).toBe(200);
});

it('what a client sends along changes nothing: a session, addresses, ranges, other hosts and unknown parameters', async () => {
  const { path } = await makeShare();
  const calendar = await makeCalendar((await makeSite('Dock of headers')).id);
  const first = await ask(path);
  expect([first.status, headersOf(first)]).toEqual([
    200,
    {
      ...{ 'cache-control': 'no-store', connection: 'keep-alive', 'content-language': 'en-US' },
      'content-length': String(Buffer.byteLength(first.text)),
      'content-security-policy': expect.stringMatching(/frame-ancestors 'none'$/) as string,
      'content-type': 'text/html; charset=utf-8',
      ...{ 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' },
      etag: expect.stringMatching(/^"[\w-]{22}"$/) as string,
      'permissions-policy': expect.stringContaining('geolocation=()') as string,
      ...{ 'referrer-policy': 'no-referrer', vary: 'Accept-Language, Accept-Encoding' },
      ...{ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
      'x-robots-tag': 'noindex, nofollow, noarchive',
    },
  ]);
  const firstFile = await ask(calendar.path);
  const shownOf = (answer: Answer) => [answer.status, { ...headersOf(answer), 'content-length': '' }];
  const sent: Record<string, string>[] = [
    { cookie: manager },
    { cookie: 'linehaul.session_token=x; linehaul.screen=x; NEXT_LOCALE=fr' },
    { authorization: 'Bearer x', 'x-api-key': 'x', 'x-middleware-subrequest': 'middleware' },
    {
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
      'x-original-url': '/',
      'x-rewrite-url': '/',
    },
    { range: 'bytes=0-10' },
    { range: 'bytes=-1', 'if-range': '"x"' },
    { 'if-none-match': '"x"' },
    { 'if-none-match': 'W/"", "\u00ff' },
    { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' },
    { rsc: '1', 'next-router-prefetch': '1', accept: 'application/json' },
    { 'accept-language': 'en-US-x-<script>alert(1)</script>' },
    { 'accept-language': `${'a-'.repeat(4000)}` },
  ];
  await Promise.all(
    sent.map(async (headers) => {
      const answer = await ask(path, { headers });
      expect(shownOf(answer), JSON.stringify(headers)).toEqual(shownOf(first));
      expect(shownOf(await ask(calendar.path, { headers })), JSON.stringify(headers)).toEqual(
        shownOf(firstFile),
      );
    }),
  );
  const head = await ask(path, { method: 'HEAD' });
  expect([head.status, head.text, head.headers.etag]).toEqual([200, '', first.headers.etag]);
  const queries = [
    ...[
      'lang=en&lang=fr',
      'lang=xx',
      'lang[]=fr',
      'lang=../../es',
      'lang=EN',
      'lang=%00',
      'zone=Nowhere/City',
    ],
    ...[
      'zone=%2e%2e/etc/passwd',
      `zone=${'x'.repeat(3000)}`,
      'zone=<script>',
      'again=&again=',
      'again=%0d%0aa:b',
    ],
    ...['__proto__=x', 'utm_source=mail', '%', '%E0%A4%A', '=', '&&', 'token=x', 'id=1;lang=fr'],
  ];
  for (const query of queries) expect(shownOf(await ask(`${path}?${query}`)), query).toEqual(shownOf(first));
});

it('an entity tag from before a change, the end or a revocation, or of another link, confirms nothing', async () => {
  const [changed, revoked, other] = [await makeShare(), await makeShare(), await makeShare({ fields: [] })];
  const calendar = await makeCalendar((await makeSite('Dock of tags')).id);
  const tags = new Map<string, string>();
  for (const { path } of [changed, revoked, other, calendar]) tags.set(path, (await ask(path)).headers.etag!);
  const askWith = async (path: string, tag: string): Promise<Answer> =>
    ask(path, { headers: { 'if-none-match': tag } });
  for (const [path, tag] of tags)
    expect([path, (await askWith(path, tag)).status, (await askWith(path, `W/${tag}`)).status]).toEqual([
      ...[path, 304, 304],
    ]);
  expect((await askWith(changed.path, tags.get(other.path)!)).status).toBe(200);
  const town = toShare({ precision: 'town' });
  expect((await call(changeShare, { method: 'PUT', id: changed.id, body: town })).status).toBe(204);
  await call(revokeShare, { method: 'DELETE', id: revoked.id });
  await call(revokeCalendar, { method: 'DELETE', id: calendar.id });
  await untilHeld();
  const answer = await askWith(changed.path, tags.get(changed.path)!);
  expect([answer.status, answer.headers.etag === tags.get(changed.path)]).toEqual([200, false]);
  for (const { path } of [revoked, calendar])
    for (const tag of [tags.get(path)!, '*', [...tags.values()].join(', ')])
      expect((await askWith(path, tag)).status).toBe(404);
  // Nothing of where exactly it is stays in the answer of a link that shows a town, however often it is asked.
  for (let i = 0; i < 3; i += 1) {
    await poll(i * 100);
    const { text } = await ask(`${changed.path}?lang=${['en', 'es', 'fr'][i]}`);
    expect(text).not.toMatch(/35[.,]2|101[.,]83/);
    expect(text.match(/<circle[^>]+>/g)).toEqual(answer.text.match(/<circle[^>]+>/g));
  }
});

it('no method but those that read does anything, in any spelling of the address', async () => {
  const { path } = await makeShare();
  const calendar = await makeCalendar((await makeSite('Dock of methods')).id);
  const before = await dumpStored();
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
    for (const address of [path, calendar.path, `${path}?_method=DELETE`])
      for (const headers of [{}, { cookie: manager, 'x-http-method-override': 'GET' }] as Record<
        string,
        string
      >[]) {
        const { status, text } = await ask(address, { method, headers });
        expect([403, 405, 501], `${method} ${address}`).toContain(status);
        expect(text).not.toMatch(/<main|VCALENDAR/);
      }
  // Spellings that Next.js would answer: they are not known here.
  for (const address of [
    `/${path}`,
    path.replace('/t/', '/%74/'),
    path.replace('/t/', '/T/'),
    '/t',
    `/x/..${path}`,
  ])
    expect([(await ask(address)).text, address]).toEqual(['Next.js', address]);
  expect(await dumpStored()).toEqual(before);
});

it('what would write into the policy of a frame is refused where it is typed', async () => {
  const refused = [
    ...["'none'", "'self'", '*', 'https:', 'https://*', 'https://*.example.com', 'https://*:443', 'null', ''],
    ...[
      'https://a.example;script-src',
      'https://a.example; sandbox',
      'https://a;sandbox',
      'https://a,b.example',
    ],
    ...[
      'https://a.example https://b.example',
      'https://a.example\n',
      ' https://a.example',
      'https://a.example/',
    ],
    ...[
      "https://'none'",
      'https://a.example\r\nset-cookie: a=b',
      'https://"a".example',
      'https://a%2eexample',
    ],
    ...[
      'http://a.example',
      'HTTPS://a.example',
      'https://A.example',
      'https://a.example/x',
      'https://a.example?x',
    ],
    ...['https://ann@a.example', 'https://a.example:443', 'https://a.example:0x1', 'https://münchen.example'],
    ...[
      'https://\u202ea.example',
      'https://a.example\u200b',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://',
    ],
    ...[
      'https://(a).example',
      'https://a$b.example',
      'https://{a}',
      'https://a`b',
      'https://a|b',
      'https://a=b',
    ],
    ...['https://a..example', 'https://.example', 'https://[::1]', `https://${'a'.repeat(260)}.example`],
  ];
  for (const origin of refused) {
    const body = toShare({ frameOrigins: [PORTAL, origin] });
    const { status, text } = await call(addShare, { method: 'POST', body });
    expect([status, text], origin).toEqual([400, expect.stringContaining('frameOrigins')]);
  }
  const allowed = [PORTAL, `${PORTAL}:8443`, 'https://xn--mnchen-3ya.example', 'https://localhost'];
  const { path } = await makeShare({ frameOrigins: allowed });
  const framed = await ask(path);
  expect(framed.headers['content-security-policy']).toMatch(
    new RegExp(`^default-src 'none'; [^,]+; form-action 'none'; frame-ancestors ${allowed.join(' ')}$`),
  );
  expect(framed.headers['x-frame-options']).toBeUndefined();
  const sent: Record<string, string>[] = [
    { origin: PORTAL },
    { referer: `${PORTAL}/` },
    { 'x-frame-options': 'ALLOWALL' },
  ];
  for (const headers of sent) {
    const alone = await ask((await makeShare()).path, { headers });
    expect([alone.headers['content-security-policy'], alone.headers['x-frame-options']]).toEqual([
      ...[expect.stringMatching(/; frame-ancestors 'none'$/), 'DENY'],
    ]);
  }
});

/** The elements of a page with the names of their attributes, where links lead, and styles. */
const toShape = (text: string): string[] =>
  [...text.matchAll(/<(\w+)([^>]*)>/g)].flatMap(([, name, attributes = '']) => [
    ...[...attributes.matchAll(/\s([^\s=]+)(?:="[^"]*")?/g)].map(([, attribute]) => `${name} ${attribute}`),
    ...[...attributes.matchAll(/\s(?:href|style|src|action)="[^"]*"/g)].map(([value]) => value),
    name!,
  ]);

const BIDI = '\u202e';
/** They would end a line, hide what stands beside them, or turn it. */
const NOT_SEEN = ['a\r\nDTSTART:19700101T000000Z', `a${BIDI}b`, 'a\u200bb', 'a\u2028b', 'a\u0085b', 'a\0b'];
const SCRIPTS = [
  ...HOSTILE.filter((text) => !/[\0\p{Cs}]/u.test(text)),
  ...['<svg/onload=alert(1)>', '</title><script>alert(1)</script>', '</main><base href="//evil.test">'],
  ...["' onmouseover='alert(1)", '&lt;b&gt; &#60;', '{carrier} {n, plural, other {x}}', '#|#|#', '$1$&'],
];

it('no text of a carrier is more than a text: in a page, its head, its map and a calendar', async () => {
  const refused = async (handler: Parameters<AttackedServer['ask']>[0], body: object, text: string) =>
    expect([(await call(handler, { method: 'POST', body })).status, text]).toEqual([400, text]);
  for (const text of NOT_SEEN) {
    await refused(addShare, toShare({ recipient: text }), text);
    await refused(addShare, toShare({ items: [{ loadId: null, unit, alias: text }] }), text);
    await refused(addCalendar, toCalendar({ siteId: 1, recipient: text }), text);
    for (const field of ['reference', 'po', 'bol', 'customer'])
      await refused(addLoad, toLoad({ [field]: text }), text);
    const [stop] = toLoad().stops;
    await refused(addLoad, toLoad({ stops: [{ ...stop, address: text }] }), text);
    await refused(addLoad, toLoad({ stops: [{ ...stop, place: { ...stop!.place, name: text } }] }), text);
    expect([(await makeSite(text)).status, text]).toEqual([400, text]);
  }
  /** The shape of pages whose texts are plain. */
  const plain = new Set(['text text-anchor']);
  const heads = new Set<string>();
  const open = async (text: string, i: number): Promise<void> => {
    const short = `${i} ${text}`.slice(0, 60).trim();
    const { id: siteId } = await makeSite(`${text} ${i}`);
    const [first] = toLoad().stops;
    const stops = [
      { ...first, place: { ...STOP, name: text } },
      { ...first, siteId, place: null, address: text },
    ];
    const given = {
      reference: short,
      po: short,
      bol: short,
      customer: text,
      note: text,
      unit: null,
      stops,
    };
    const loadId = await makeLoad(given);
    const calendar = await makeCalendar(siteId, { recipient: text });
    const ofLoad = { items: [{ loadId, unit: null, alias: i % 2 ? short : '' }], recipient: text };
    const ofTruck = { items: [{ loadId: null, unit, alias: short }], recipient: text };
    for (const share of [ofLoad, ofTruck]) {
      const { path } = await makeShare({ ...share, endsOn: share === ofLoad ? 'arrival' : null });
      for (const lang of ['en', 'fr']) {
        const page = await ask(`${path}?lang=${lang}`);
        expect([page.status, page.text.match(/<script/g)?.length]).toEqual([200, 1]);
        const shape = toShape(page.text);
        if (i < 0) shape.forEach((each) => plain.add(each));
        expect(
          shape.filter((each) => !plain.has(each)),
          text,
        ).toEqual([]);
        // What chat programs show of it, and keep: the same for each link of a carrier.
        const [head = ''] = page.text.split('<body>');
        heads.add(head.replace(/data-tag="[^"]*"/, '').replace(/again=\d+/, ''));
        if (share === ofLoad && i % 2 === 0 && text.includes('<'))
          expect(page.text).toContain(
            text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').split(/["'>]/)[0],
          );
      }
    }
    const file = await ask(calendar.path);
    expect(file.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const parsed = parseICalendar(file.text);
    expect(parsed.events.map(({ LOCATION, SUMMARY }) => [LOCATION, SUMMARY?.includes(short)])).toEqual([
      [`${text} ${i}, ${text}`.replaceAll(/^\s+|\s+$/g, ''), true],
    ]);
    expect(Math.max(...file.text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThan(76);
  };
  await open('Dock', -1);
  await open('Dock', -2);
  // In a short run a third of them.
  await Promise.all(SCRIPTS.filter((_, i) => IS_LONG || i % 3 === 0).map(open));
  expect([heads.size, [...heads].join('')]).toEqual([
    2,
    expect.not.stringMatching(/og:|twitter:|description/),
  ]);
});

it('the links and calendars of another fleet, and of trucks that a user does not see, are as if there were none', async () => {
  const { id: siteId } = await makeSite('Dock of scopes');
  const calendar = await makeCalendar(siteId);
  const [ofUnit, ofOutside] = [
    await makeShare(),
    await makeShare({ items: [{ loadId: null, unit: outside, alias: '' }] }),
  ];
  const ofBoth = await makeShare({
    items: [unit, outside].map((each) => ({ loadId: null, unit: each, alias: '' })),
  });
  const outsideLoad = await makeLoad({ reference: 'outside', unit: outside });
  const ofLoad = await makeShare({ items: [{ loadId: outsideLoad, unit: null, alias: '' }] });
  const tagged = await server.signInAs('tagged', 'dispatcher', [USDOT]);
  await server.query(`update linehaul.users set tags = '{flatbed}' where id = $1`, [tagged.id]);
  const limited = (await server.signInAs('limited', 'dispatcher', [OTHER_USDOT])).cookie;
  const before = await dumpStored();
  const attempts = [
    { handler: readShareLink, method: 'GET' },
    { handler: readOpenings, method: 'GET' },
    { handler: changeShare, method: 'PUT', body: toShare({}) },
    { handler: revokeShare, method: 'DELETE' },
  ];
  const ofCalendar = [
    { handler: readCalendarLink, method: 'GET' },
    { handler: revokeCalendar, method: 'DELETE' },
  ];
  const expectNone = async (
    { handler, method, body }: { handler: typeof readShareLink; method: string; body?: object },
    id: string,
    as: { usdot?: string; cookie?: string },
  ): Promise<void> => {
    const init = { method, ...(body && { body }) };
    const unknown = await call(handler, { ...init, ...as, id: 'no-such-id' });
    const answer = await call(handler, { ...init, ...as, id });
    expect([answer.status, answer.text], `${method} ${JSON.stringify(as)}`).toEqual([404, unknown.text]);
  };
  const shares = [ofUnit, ofOutside, ofBoth, ofLoad].map(({ id }) => id);
  for (const as of [{ usdot: OTHER_USDOT }, { usdot: OTHER_USDOT, cookie: limited }, { cookie: limited }]) {
    for (const attempt of attempts) for (const id of shares) await expectNone(attempt, id, as);
    for (const attempt of ofCalendar) await expectNone(attempt, calendar.id, as);
  }
  for (const id of shares.slice(1))
    for (const attempt of attempts) await expectNone(attempt, id, { cookie: tagged.cookie });
  for (const attempt of ofCalendar) await expectNone(attempt, calendar.id, { cookie: tagged.cookie });
  // Nor may they be made, there or here, nor a link be changed to show them.
  const refusals: [object, string, string?][] = [
    [toShare({}), limited],
    [toShare({ items: [{ loadId: null, unit: outside, alias: '' }] }), tagged.cookie],
    [toShare({ items: [{ loadId: outsideLoad, unit: null, alias: '' }] }), tagged.cookie],
    [
      toShare({ items: [unit, outside].map((each) => ({ loadId: null, unit: each, alias: '' })) }),
      tagged.cookie,
    ],
    [toShare({ items: [{ loadId: outsideLoad, unit: null, alias: '' }] }), manager, OTHER_USDOT],
    [toShare({ endsMs: null, endsOn: 'arrival', endsAtSite: siteId }), manager, OTHER_USDOT],
  ];
  for (const [body, cookie, usdot = USDOT] of refusals) {
    expect((await call(addShare, { method: 'POST', usdot, body, cookie })).status).toBe(404);
    if (cookie === tagged.cookie)
      expect((await call(changeShare, { method: 'PUT', id: ofUnit.id, body, cookie })).status).toBe(404);
  }
  const forOther = { method: 'POST', usdot: OTHER_USDOT, body: toCalendar({ siteId }) };
  expect((await call(addCalendar, forOther)).status).toBe(404);
  expect(await dumpStored()).toEqual(before);
  const idsOf = async (cookie: string, usdot = USDOT) => {
    const listed = await call<{ shares: { id: string }[] }>(listShares, { usdot, cookie });
    return listed.json.shares.map(({ id }) => id).filter((id) => shares.includes(id));
  };
  expect([await idsOf(tagged.cookie), await idsOf(manager, OTHER_USDOT)]).toEqual([[ofUnit.id], []]);
  expect((await call<{ calendars: [] }>(listCalendars, { cookie: tagged.cookie })).json.calendars).toEqual(
    [],
  );
  // What a tagged user makes shows the trucks that they see, and of a calendar the loads of these.
  const own = await makeCalendar(siteId, {}, tagged.cookie);
  const ofDock = { stops: [{ ...toLoad().stops[0], siteId, place: null }] };
  await makeLoad({ ...ofDock, reference: 'seen', unit });
  await makeLoad({ ...ofDock, reference: 'unseen', unit: outside });
  const [theirs, all] = [await ask(own.path), await ask(calendar.path)];
  expect([theirs.text.includes('unseen'), parseICalendar(theirs.text).events.length]).toEqual([false, 1]);
  expect(parseICalendar(all.text).events).toHaveLength(2);
});

it('what a client says of its address escapes no limit, and makes no places', async () => {
  const link = await makeShare();
  const fromAnywhere = (i: number) => ({
    'x-forwarded-for': `198.18.${i % 250}.${i}, 2001:db8:${i}::1`,
    forwarded: `for=198.18.0.${i}`,
    'x-real-ip': `198.18.1.${i}`,
    'cf-connecting-ip': `198.18.2.${i}`,
  });
  const statuses = async (path: string, count: number, to: Listening): Promise<number[]> =>
    (
      await Promise.all(
        Array.from({ length: count }, (_, i) => ask(path, { to, headers: fromAnywhere(i), method: 'HEAD' })),
      )
    ).map(({ status }) => status);
  for (let i = 0; i < 12; i += 1) await ask(link.path, { to: open, headers: fromAnywhere(i) });
  await readRuntime().shares.flush();
  const { json } = await call<{ openings: { count: number }[]; places: number }>(readOpenings, {
    id: link.id,
  });
  expect([json.openings.reduce((sum, { count }) => sum + count, 0), json.places]).toEqual([12, 1]);
  // A proxy of the owner's names the client last, whatever that sent before.
  const behind = await makeShare();
  for (let i = 0; i < 12; i += 1)
    await ask(behind.path, { headers: { 'x-forwarded-for': `198.18.${i}.1, 203.0.113.${i}` } });
  await readRuntime().shares.flush();
  expect((await call<{ places: number }>(readOpenings, { id: behind.id })).json.places).toBe(1);
  const limits = [
    { path: link.path, most: 600 },
    { path: `/t/${'A'.repeat(27)}/calendar.ics`, most: 120 },
    { path: '/u/none', most: 60 },
  ];
  for (const { path, most } of limits.filter((each) => IS_LONG || each.most < 200)) {
    const found = await statuses(path, most + 5, open);
    expect(found.filter((status) => status === 429).length, path).toBeGreaterThanOrEqual(5);
    const refused = await ask(path, { to: open, headers: fromAnywhere(1) });
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(refused.headers['cache-control']).toBe('no-store');
    // Another client goes on.
    expect((await ask(path)).status).not.toBe(429);
  }
});

it('a signed address ends the mails of its load and reader alone, by its button alone', async () => {
  const mails = { addresses: [KIM, 'lee@peachtree.test'], about: ['delivery'], language: 'en' };
  const [loadId, otherId] = [
    await makeLoad({ reference: 'mailed', unit: null, mails }),
    await makeLoad({ reference: 'mailed too', unit: null, mails }),
  ];
  const { secret } = readRuntime().shares;
  const path = toEndPath(secret, loadId, KIM);
  const [, token = ''] = path.split('/u/');
  const [number = '', signature = ''] = token.split('.');
  const otherSecret = toEndPath('another secret of an installation', loadId, KIM);
  const wrong = [
    ...[`${otherId.toString(36)}.${signature}`, `${number}.${'A'.repeat(27)}`, otherSecret.split('/u/')[1]!],
    ...[`${number}.${signature.slice(1)}`, `${token}A`, `${token}.`, `.${signature}`, signature, `0${token}`],
    ...[
      `${token}/`,
      `${token}%00`,
      `${token}%0a`,
      `${token},${token}`,
      `${number}..${signature}`,
      `+${token}`,
    ],
    ...[
      `zzzzzzzzzz.${signature}`,
      `zzzzzzzzzzz.${signature}`,
      `1e3.${signature}`,
      `-1.${signature}`,
      '__proto__',
    ],
    ...[token.toUpperCase(), `${number}.${signature.toLowerCase()}`, `${number}%2e${signature}`, ''],
    ...[toEndPath(secret, loadId, KIM.toUpperCase()), toEndPath(secret, 2 ** 40, KIM)].map((each) =>
      each.slice(3),
    ),
  ];
  const before = await dumpStored();
  const nothing = await ask('/u/none');
  expect([nothing.status, nothing.text.includes('Nothing is shown here')]).toEqual([404, true]);
  await Promise.all(
    wrong.flatMap((each) =>
      ['GET', 'POST'].map(async (method) => {
        const headers = { 'sec-fetch-site': 'same-origin' };
        const answer = await ask(`/u/${each}`, { method, headers });
        expect(sentOf(answer), `${method} ${each}`).toEqual(sentOf(nothing));
        expect(answer.tookMs).toBeGreaterThan(TICK_MS - 1);
      }),
    ),
  );
  // Programs that open what a mail links to end nothing, and wait for nothing that a change of the load holds.
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from linehaul.load_mails where load_id = $1 for update', [loadId]);
  for (const method of ['GET', 'HEAD'])
    for (const headers of [{}, { cookie: manager, purpose: 'prefetch' }] as Record<string, string>[])
      expect((await ask(path, { method, headers })).status).toBe(200);
  await client.query('commit');
  client.release();
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    expect((await ask(path, { method })).status, method).toBe(405);
  expect(await dumpStored()).toEqual(before);
  const page = await ask(path);
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(page.text).not.toMatch(/peachtree|mailed/);
  for (let i = 0; i < 2; i += 1)
    expect((await ask(path, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status).toBe(200);
  const [row] = await server.query(`select addresses from linehaul.load_mails where load_id = $1`, [loadId]);
  expect((row!.addresses as { endedMs: number | null }[]).map(({ endedMs }) => endedMs !== null)).toEqual([
    true,
    false,
  ]);
  const [other] = await server.query(`select addresses from linehaul.load_mails where load_id = $1`, [
    otherId,
  ]);
  expect(JSON.stringify(other)).not.toMatch(/"endedMs":\d/);
});

it('no answer sets a cookie, and no line of the log has a token, however its address is written', async () => {
  const link = await makeShare();
  const mail = toEndPath(readRuntime().shares.secret, 1, KIM).slice(3);
  for (const token of [link.token, mail])
    for (const before of ['/t/', '/u/', '/T/', '//t/', '/%74/', '/x/../t/', '/t%2f', '/t\\'])
      for (const after of ['', '/', '/calendar.ics', `?token=${token}`])
        expect((await ask(`${before}${token}${after}`)).headers['set-cookie']).toBeUndefined();
  expect(logged.length).toBeGreaterThan(100);
  expect(logged.filter((line) => line.includes(link.token) || line.includes(mail))).toEqual([]);
});
