/** Documents, the page that verifies them, their keys and pickup codes, over HTTP as anyone can send it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { recorderOf } from '@/lib/audit/audit';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad } from '@/lib/loads/server/loads';
import type { CertifiedFix } from '@/lib/proof/kinds/position-certificate';
import { issueDocument, readDocument, type DocumentInput } from '@/lib/proof/server/documents';
import { sendResponse, toHeaders } from '@/server/http/fast-path';
import { readRuntime } from '@/server/runtime';
import { dumpChanges } from '@/testing/dump';
import { HOSTILE } from '@/testing/attacks/hostile';
import { headersOf, listenTo, sendTo, sentOf, type Answer, type Listening } from '@/testing/attacks/http';
import { startAttackedServer, type AttackedServer } from '@/testing/attacks/server';
import { toClient } from '@/testing/auth/sign-in';
import { IS_LONG } from '@/testing/long';
import { ANN, certificateOf, documentOf } from '@/testing/proof/proof';
import { GET as readKeys } from '../.well-known/linehaul-proof-keys.json/route';
import { POST as mailDocument } from '../api/fleets/[usdot]/proof/[number]/mail/route';
import { PUT as changeDocument } from '../api/fleets/[usdot]/proof/[number]/route';
import { GET as listDocuments } from '../api/fleets/[usdot]/proof/route';
import {
  DELETE as endCode,
  GET as readCode,
  POST as makeCode,
} from '../api/fleets/[usdot]/loads/[id]/pickup-code/route';
import { DELETE as revokeKey } from '../api/proof-keys/[id]/route';
import { POST as rotateKey } from '../api/proof-keys/route';
import { GET as openDocument } from '../d/[number]/route';
import { GET as openPickup, POST as checkTruck } from '../p/[token]/route';
import { GET as openVerify, POST as verifyText } from '../verify/route';

const [USDOT, OTHER_USDOT] = ['9000001', '9000066'];
const UNKNOWN = '8K3M-92QX-4HTD';
const TICK_MS = 50;
const SAME = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

let server: AttackedServer;
let [behindProxy, open]: Listening[] = [];
const logged: string[] = [];
/** A manager, a dispatcher of another fleet, one who sees other trucks, and a wall screen. */
const as = { manager: '', limited: '', tagged: '', screen: '' };
let [unit, outside] = ['', ''];

type Routes = Record<string, (request: never, context: { params: Promise<unknown> }) => Promise<Response>>;
/** As Next.js finds them by the names of their folders. */
const ROUTES: readonly [path: RegExp, routes: Routes][] = [
  [/^\/d\/(?<number>[^/]+)$/, { GET: openDocument, HEAD: openDocument }],
  [/^\/p\/(?<token>[^/]+)$/, { GET: openPickup, HEAD: openPickup, POST: checkTruck }],
  [/^\/verify$/, { GET: openVerify, HEAD: openVerify, POST: verifyText }],
  [/^\/\.well-known\/linehaul-proof-keys\.json$/, { GET: readKeys, HEAD: readKeys }],
];

const next = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', headers } = incoming;
  const url = new URL(`http://localhost${incoming.url}`);
  for (const [path, routes] of ROUTES) {
    const found = path.exec(url.pathname);
    const handler = found && routes[method];
    if (!handler) continue;
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = method === 'POST' ? { body: Buffer.concat(parts) } : {};
    const request = new Request(url, { method, headers: toHeaders(headers), ...body });
    const params = Object.fromEntries(
      Object.entries({ ...found.groups }).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
    return sendResponse(await handler(request as never, { params: Promise.resolve(params) }), response);
  }
  response.writeHead(404).end('Next.js');
};

const ask = (
  path: string,
  { to = behindProxy!, ...sent } = {} as Parameters<typeof sendTo>[2] & { to?: Listening },
): Promise<Answer> => sendTo(to, path, sent);
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    headers: { ...SAME, ...headers },
    body: new URLSearchParams(fields).toString(),
  });

const call = async <T>(
  handler: Parameters<AttackedServer['ask']>[0],
  {
    method = 'GET',
    cookie = as.manager,
    body,
    ...params
  }: { method?: string; cookie?: string; body?: unknown; usdot?: string; id?: string; number?: string },
): Promise<{ status: number; text: string; json: T }> => {
  const { status, text } = await server.ask(handler, '/api/x', {
    ...{ params: { usdot: USDOT, ...params }, cookie },
    init: {
      method,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  });
  return { status, text, json: (text === '' ? null : JSON.parse(text)) as T };
};

const issue = async (changes: Partial<DocumentInput> = {}) => {
  const { database, clock, proof, audit } = readRuntime();
  const { orm } = await database.open();
  const { number } = await orm.transaction((tx) =>
    issueDocument(
      tx,
      { clock, proof, record: recorderOf({ viewer: ANN, client: toClient(), audit }, 'proof.issue', tx) },
      documentOf({ unit, madeBy: { address: 'ann@carrier.test', id: null }, ...changes }),
    ),
  );
  return (await readDocument(orm, number))!;
};
let references = 0;
const addLoadOf = async (truck: string | null, usdot = USDOT): Promise<number> => {
  const runtime = readRuntime();
  const place = { name: 'Mill', lat: 36.1, lng: -101.8, radiusM: 400 };
  const load = loadInputSchema.parse({
    ...{ reference: `pk-${(references += 1)}`, unit: truck },
    stops: [{ kind: 'pickup', siteId: null, place, appointment: null }],
  });
  return (await addLoad({ ...runtime, viewer: ANN, client: toClient() }, usdot, load)).id;
};
const makeCodeOf = async (id: number): Promise<string> => {
  const { status, text, json } = await call<{ code: string }>(makeCode, { method: 'POST', id: String(id) });
  expect(status, text).toBe(200);
  return json.code;
};
/** Codes of a load that has a truck. */
const newCode = async (): Promise<string> => makeCodeOf(await addLoadOf(unit));

beforeAll(async () => {
  server = await startAttackedServer({
    isEmbedded: true,
    variables: {
      ...{ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'fleet@carrier.test' },
      PUBLIC_URL: 'http://fleet.test:3000',
    },
  });
  const manager = await server.signInAs('ann', 'manager', null);
  as.manager = manager.cookie;
  as.limited = (await server.signInAs('limited', 'dispatcher', [OTHER_USDOT])).cookie;
  const tagged = await server.signInAs('tagged', 'dispatcher', [USDOT]);
  as.tagged = tagged.cookie;
  const vehicles = await server.query(`select vin from tracking.vehicles where usdot = $1 order by 1`, [
    USDOT,
  ]);
  [unit, outside] = vehicles.map(({ vin }) => vin as string) as [string, string];
  await server.query(`insert into linehaul.unit_tags (usdot, tag, unit) values ($1, 'reefer', $2)`, [
    USDOT,
    outside,
  ]);
  await server.query(`update linehaul.users set tags = '{reefer}' where id = $1`, [tagged.id]);
  const { screens } = readRuntime();
  const { token } = await screens.create(
    { name: 'screen', usdots: [USDOT] },
    { viewer: { ...ANN, id: manager.id }, client: toClient() },
  );
  as.screen = `linehaul.screen=${token}`;
  [behindProxy, open] = await Promise.all(
    [1, 0].map((trustedProxies) =>
      listenTo({ trustedProxies, logged, next: (request, response) => void next(request, response) }),
    ),
  );
}, 60_000);
afterAll(async () => {
  for (const each of [behindProxy, open]) each?.close();
  await server?.close();
});

/** Hundreds of requests take seconds; lower tests see most of it. */
const long = it.skipIf(!IS_LONG);

/** Spellings of a number or code that are others. */
const toSpellings = (text: string): string[] => [
  ...['constructor', text.slice(1), text.slice(0, -1), `${text}0`, `0${text}`, `${text}${text}`],
  ...[
    `${text},${text}`,

    `${text};x`,
    `${text}.`,
    `${text}%2f`,
    `${text}.json`,
    `%E2%80%AE${text}`,
  ],
  ...[
    `${text}'--`,
    `${text}%25`,
    'x'.repeat(3500),
    '%EF%BC%97K3M-92QX-4HTD',
    `${text}%E2%80%8B`,
    '-'.repeat(40),
  ],
];

const toBig = (count: number): Partial<DocumentInput> => ({
  kind: 'position-certificate',
  subject: {
    ...certificateOf('4107'),
    made: count,
    fixes: Array.from({ length: count }, (_, i): CertifiedFix => ({
      ...{ madeMs: i * MINUTE_MS, seenMs: i * MINUTE_MS + 5000, latE5: 3_500_000 + i, lngE5: -10_100_000 },
      ...{ isByReceipt: false, isUsed: true },
    })),
  },
});

it('one answer, no sooner than a tick: a number that no document has, that does not show it, and any other text', async () => {
  const hidden = await issue(toBig(500));
  const ofOther = await issue({
    issuer: { ...hidden.content.issuer, usdot: OTHER_USDOT },
  });
  const shown = await issue({ isShownByNumber: true });
  const nothing = await ask(`/d/${UNKNOWN}`);
  expect([nothing.status, nothing.text.includes('No document is shown here')]).toEqual([404, true]);
  const attempts: [path: string, cookie: string][] = [
    ...[hidden, ofOther].flatMap(({ number }) =>
      ['', '?as=pdf', '?as=json', '?revision=1', '?as=pdf&paper=a4&revision=1', '?revision=-1'].map(
        (query): [string, string] => [`/d/${number}${query}`, ''],
      ),
    ),
    ...toSpellings(hidden.number).map((text): [string, string] => [`/d/${text}`, '']),
    ...[as.screen, as.limited, as.tagged, `${as.manager.slice(0, -3)}x`].map((cookie): [string, string] => [
      ...([`/d/${hidden.number}`, cookie] as const),
    ]),
    ...[`/d/${shown.number}?revision=2`, `/d/${shown.number}?revision=2&as=json`].map(
      (path): [string, string] => [...([path, as.manager] as const)],
    ),
  ];
  await Promise.all(
    attempts.map(async ([path, cookie]) => {
      const answer = await ask(path, { headers: cookie === '' ? {} : { cookie } });
      expect(sentOf(answer), path).toEqual(sentOf(nothing));
      expect(answer.tookMs, path).toBeGreaterThan(TICK_MS - 1);
    }),
  );
  const noNumber = await ask(`/verify?number=${UNKNOWN}`);
  expect(noNumber.status).toBe(404);
  const masked = (answer: Answer, number: string) => [
    ...[answer.status, { ...headersOf(answer), 'content-length': '' }, answer.text.replaceAll(number, '#')],
  ];
  for (const number of [hidden.number, ofOther.number]) {
    const answer = await ask(`/verify?number=${number}`);
    expect(masked(answer, number)).toEqual(masked(noNumber, UNKNOWN));
    expect(answer.tookMs).toBeGreaterThan(TICK_MS - 1);
  }
  expect((await ask(`/d/${shown.number}`)).status).toBe(200);
  expect((await ask(`/d/${hidden.number}`, { headers: { cookie: as.manager } })).status).toBe(200);
  // By time as well: in the middle, both come at the same tick.
  const tickOf = async (path: string): Promise<number> => Math.floor((await ask(path)).tookMs / TICK_MS);
  const ticks: number[][] = [[], []];
  for (let i = 0; i < (IS_LONG ? 41 : 9); i += 1) {
    ticks[0]!.push(await tickOf(`/d/${hidden.number}`));
    ticks[1]!.push(await tickOf(`/d/${UNKNOWN}`));
  }
  const [ofHidden, ofUnknown] = ticks.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
  expect(ofHidden).toBe(ofUnknown);
});

it('one answer, no sooner than a tick: a code that never was, was replaced, ended or is over, and any other text', async () => {
  const id = await addLoadOf(unit);
  const replaced = await makeCodeOf(id);
  const live = await makeCodeOf(id);
  const ofEnded = await newCode();
  const other = await addLoadOf(unit);
  const ended = await makeCodeOf(other);
  await call(endCode, { method: 'DELETE', id: String(other) });
  await server.query(
    `update linehaul.loads set ended_ms = 1 where id = (select max(load_id) from linehaul.pickup_codes)`,
  );
  expect((await ask(`/p/${live}`)).status).toBe(200);
  const nothing = await ask(`/p/${UNKNOWN}`);
  expect([nothing.status, nothing.text.includes('Nothing is shown here')]).toEqual([404, true]);
  expect(headersOf(nothing)).toEqual({
    ...{ 'cache-control': 'no-store', connection: 'keep-alive', 'content-language': 'en-US' },
    'content-length': String(Buffer.byteLength(nothing.text)),
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; .*frame-ancestors 'none'/,
    ) as string,
    'content-type': 'text/html; charset=utf-8',
    ...{ 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' },
    'permissions-policy': expect.stringContaining('geolocation=()') as string,
    ...{ 'referrer-policy': 'same-origin', vary: 'Accept-Language, Accept-Encoding' },
    ...{ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
    'x-robots-tag': 'noindex, nofollow, noarchive',
  });
  const before = await dumpChanges(server.databaseUrl);
  await Promise.all(
    [replaced, ofEnded, ended, ...toSpellings(live)].flatMap((code) =>
      ['GET', 'POST'].map(async (method) => {
        const answer = await ask(`/p/${code}`, {
          ...{ method, headers: { ...SAME, cookie: as.manager } },
          ...(method === 'POST' && { body: `truck=${unit.slice(-8)}` }),
        });
        expect(sentOf(answer), `${method} ${code}`).toEqual(sentOf(nothing));
        expect(answer.tookMs, code).toBeGreaterThan(TICK_MS - 1);
      }),
    ),
  );
  expect(await dumpChanges(server.databaseUrl)).toEqual(before);
  // A truck that is another, and one that is expected, at the same tick.
  for (const truck of [unit.slice(-8), 'NOT-IT'])
    expect((await send(`/p/${live}`, { truck })).tookMs).toBeGreaterThan(TICK_MS - 1);
});

it('no page of another site checks a truck or a document, and no method but those that read and check', async () => {
  const code = await newCode();
  const before = await dumpChanges(server.databaseUrl);
  const elsewhere: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null' },
    { origin: 'https://evil.test' },
  ];
  for (const path of [`/p/${code}`, '/verify'])
    for (const headers of elsewhere) {
      const form = { ...headers, 'content-type': SAME['content-type'] };
      const answer = await ask(path, { method: 'POST', headers: form, body: 'truck=118&text=x' });
      expect([answer.status, answer.text.includes('<form')], JSON.stringify(headers)).toEqual([403, false]);
    }
  // A browser without the header sends where the form is from.
  const origin = `http://127.0.0.1:${behindProxy!.port}`;
  const own = { origin, 'content-type': SAME['content-type'] };
  expect((await ask('/verify', { method: 'POST', headers: own, body: 'text=x' })).status).toBe(400);
  for (const [path, methods] of [
    [`/p/${code}`, ['PUT', 'PATCH', 'DELETE']],
    ['/verify', ['PUT', 'PATCH', 'DELETE']],
    [`/d/${UNKNOWN}`, ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/.well-known/linehaul-proof-keys.json', ['POST', 'PUT', 'DELETE']],
  ] as const)
    for (const method of methods)
      expect((await ask(path, { method, headers: SAME })).text, `${method} ${path}`).toBe('Next.js');
  expect(await dumpChanges(server.databaseUrl)).toEqual(before);
});

long('what a client sends along changes nothing of a page, and no answer sets a cookie', async () => {
  const shown = await issue({ isShownByNumber: true });
  const paths = [
    `/d/${shown.number}`,
    `/p/${await newCode()}`,
    '/verify',
    '/.well-known/linehaul-proof-keys.json',
  ];
  const sent: Record<string, string>[] = [
    { cookie: 'linehaul.session_token=x; linehaul.screen=x; NEXT_LOCALE=fr' },
    { authorization: 'Bearer x', 'x-api-key': 'x', 'x-middleware-subrequest': 'middleware' },
    { 'x-forwarded-proto': 'http', 'x-original-url': '/', 'x-rewrite-url': '/' },
    { range: 'bytes=0-10' },
    { 'if-none-match': '*', 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' },
    { rsc: '1', 'next-router-prefetch': '1', accept: 'application/json' },
    { 'accept-language': 'en-US-x-<script>alert(1)</script>' },
  ];
  for (const path of paths) {
    const first = await ask(path);
    expect([first.status, first.headers['x-frame-options']], path).toEqual([200, 'DENY']);
    for (const headers of sent) {
      const answer = await ask(path, { headers });
      expect(sentOf(answer), `${path} ${JSON.stringify(headers)}`).toEqual(sentOf(first));
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  }
  const page = await ask(`/d/${shown.number}`);
  expect(page.headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow, noarchive' },
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^;]+;.*frame-ancestors 'none'/,
    ) as string,
  });
  expect(page.headers['content-security-policy']).not.toMatch(/script-src|unsafe/);
  const keys = await ask('/.well-known/linehaul-proof-keys.json');
  expect(keys.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=60',
  });
  expect(keys.headers['access-control-allow-credentials']).toBeUndefined();
  const [key] = (JSON.parse(keys.text) as { keys: object[] }).keys;
  expect(Object.keys(key!).sort()).toEqual([
    'alg',
    'crv',
    'fromMs',
    'kid',
    'kty',
    'revokedMs',
    'untilMs',
    'use',
    'x',
  ]);
});

long('no text of a carrier or of a dock is more than a text', async () => {
  const tagsOf = (text: string): string[] => [...text.matchAll(/<(\w+)/g)].map(([, name]) => name!);
  const shownBy = async (text: string): Promise<string[][]> => {
    const { number, jws } = await issue({
      ...{ isShownByNumber: true, about: text, kind: 'position-certificate', subject: certificateOf(text) },
      issuer: { carrier: text, usdot: USDOT, mc: text.slice(0, 20), installation: text },
    } as Partial<DocumentInput>);
    const page = await ask(`/d/${number}`);
    const verified = await send('/verify', { text: jws });
    expect([page.status, verified.status, verified.text.includes('Genuine')], text).toEqual([200, 200, true]);
    return [page, verified].map((answer) => tagsOf(answer.text));
  };
  const plain = await shownBy('Dock');
  const texts = HOSTILE.filter((text) => !/[\0\p{Cs}]/u.test(text));
  for (const text of texts) expect(await shownBy(text), text).toEqual(plain);
  const code = await newCode();
  const usual = tagsOf((await send(`/p/${code}`, { truck: 'NOT-IT' })).text);
  for (const text of texts.filter(({ length }) => length < 41).slice(0, 5))
    expect(tagsOf((await send(`/p/${code}`, { truck: text })).text), text).toEqual(usual);
  for (const text of ['x'.repeat(41), '\u0000', ' ', '\ud800', '--'])
    expect((await send(`/p/${code}`, { truck: text })).status, text).toBe(422);
});

it('a form that is too long, or none, costs no more than its refusal', async () => {
  const code = await newCode();
  expect((await send(`/p/${code}`, { truck: 'x'.repeat(3000) })).status).toBe(413);
  expect((await send('/verify', { text: 'x'.repeat(3_100_000) })).status).toBe(400);
  const multipart = { ...SAME, 'content-type': 'multipart/form-data; boundary=x' };
  for (const headers of [
    multipart,
    { ...SAME, 'content-type': 'application/json' },
    { ...SAME, 'content-type': '' },
  ])
    expect((await ask('/verify', { method: 'POST', headers, body: 'text={}' })).status).toBe(400);
});

it('documents and codes of another fleet, and of trucks that a user does not see, are as if there were none', async () => {
  const [seen, unseen] = [await issue({ unit: outside }), await issue()];
  const ofOther = await issue({ issuer: { ...unseen.content.issuer, usdot: OTHER_USDOT } });
  const loadId = await addLoadOf(unit);
  const before = await dumpChanges(server.databaseUrl);
  const attempts = [
    { handler: changeDocument, method: 'PUT', body: { isShownByNumber: true } },
    { handler: mailDocument, method: 'POST', body: { address: 'kim@peachtree.test' } },
  ];
  for (const { handler, ...init } of attempts)
    for (const [number, given] of [
      [unseen.number, { cookie: as.tagged }],
      [ofOther.number, { cookie: as.tagged }],
      [ofOther.number, {}],
      [unseen.number, { usdot: OTHER_USDOT }],
      [unseen.number, { cookie: as.limited }],
    ] as const) {
      const unknown = await call(handler, { ...init, ...given, number: UNKNOWN });
      const answer = await call(handler, { ...init, ...given, number });
      expect([answer.status, answer.text], `${init.method} ${JSON.stringify(given)}`).toEqual([
        404,
        unknown.text,
      ]);
    }
  const screened = await call(listDocuments, { cookie: as.screen });
  expect([401, 403]).toContain(screened.status);
  for (const [handler, method] of [
    [readCode, 'GET'],
    [makeCode, 'POST'],
    [endCode, 'DELETE'],
  ] as const)
    for (const given of [{ cookie: as.limited }, { usdot: OTHER_USDOT }])
      expect((await call(handler, { method, id: String(loadId), ...given })).status, method).toBe(404);
  for (const cookie of [as.tagged, as.limited, as.screen]) {
    expect((await call(rotateKey, { method: 'POST', cookie })).status).toBe(403);
    expect((await call(revokeKey, { method: 'DELETE', id: unseen.kid, cookie })).status).toBe(403);
  }
  expect(await dumpChanges(server.databaseUrl)).toEqual(before);
  const { json } = await call<{ documents: { number: string }[] }>(listDocuments, { cookie: as.tagged });
  expect(json.documents.map(({ number }) => number)).toEqual([seen.number]);
});

long(
  'what a client says of its address escapes no limit; a code has one of its own, from whatever addresses',
  async () => {
    const fromAnywhere = (i: number) => ({
      'x-forwarded-for': `198.18.${i % 250}.${i % 199}, 2001:db8:${i}::1`,
      forwarded: `for=198.18.0.${i}`,
      'x-real-ip': `198.18.1.${i}`,
    });
    const statuses = async (path: string, count: number, to: Listening): Promise<number[]> =>
      (
        await Promise.all(
          Array.from({ length: count }, (_, i) => ask(path, { to, headers: fromAnywhere(i) })),
        )
      ).map(({ status }) => status);
    const code = await newCode();
    // A look-up is a check as well: the second has what the first one leaves.
    for (const [i, { path, most, left = most }] of [
      { path: `/verify?number=${UNKNOWN}`, most: 20 },
      { path: '/verify', most: 60, left: 60 - 26 },
      { path: `/p/${UNKNOWN}`, most: 60 },
      { path: `/d/${UNKNOWN}`, most: 120 },
    ].entries()) {
      const found = await statuses(path, left + 5, open!);
      expect(found.filter((status) => status === 429).length, path).toBe(5);
      const refused = await ask(path, { to: open!, headers: fromAnywhere(1) });
      expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
      // A proxy of the owner's names the client last, whatever that sent before; and another client goes on.
      expect((await ask(path)).status).not.toBe(429);
      const behind = await Promise.all(
        Array.from({ length: most + 1 }, (_, j) =>
          ask(path, { headers: { 'x-forwarded-for': `198.18.${j}.1, 203.0.113.${i}` } }),
        ),
      );
      expect(
        behind.filter(({ status }) => status === 429),
        path,
      ).toHaveLength(1);
    }
    expect((await ask(`/p/${code}`, { to: open! })).status).toBe(429);
    const checks = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        send(`/p/${code}`, { truck: `${i}` }, { 'x-forwarded-for': `192.0.2.${i}` }),
      ),
    );
    expect(checks.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(200), 429, 429]);
    // Another code of the load does not begin again.
    const [row] = await server.query(`select max(load_id) as id from linehaul.pickup_codes`);
    const again = await makeCodeOf(Number(row!.id));
    expect((await send(`/p/${again}`, { truck: '118' })).status).toBe(429);
  },
);

long(
  'no line of the log has a code, a number, a document or what was typed, however its address is written',
  async () => {
    const { number, jws } = await issue({ isShownByNumber: true });
    const code = await newCode();
    const typed = 'TYPED4711';
    await send(`/p/${code}`, { truck: typed });
    await send('/verify', { text: jws });
    for (const secret of [number, code])
      for (const before of [
        '/d/',
        '/p/',
        '/P/',
        '//p/',
        '/%70/',
        '/%64/',
        '/x/../d/',
        '/p%2f',
        '/p\\',
        '/verify?number=',
      ])
        for (const after of ['', '/', `?lang=${secret}`]) await ask(`${before}${secret}${after}`);
    expect(logged.length).toBeGreaterThan(100);
    const found = logged.filter((line) =>
      [number, code, typed, jws.slice(0, 60), unit.slice(-8)].some((text) => line.includes(text)),
    );
    expect(found).toEqual([]);
  },
);
