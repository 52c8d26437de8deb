import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClientAddresses } from '../http/http-server';
import { serveService, type RunningService } from '../serve';
import { createTestFleet } from '../../testing/service/fleet';
import { sendRaw as sendBytes } from '../../testing/service/raw-http';
import { toHeaders, type Credentials } from '../../testing/service/service';
import { CARRIER, OTHER_CARRIER, toVin } from '../../testing/service/vehicles';

const clients = createClientAddresses(1);
const test = createTestFleet({ readClientAddress: clients.read });
const { usdot } = CARRIER;
let running: RunningService;

beforeAll(async () => {
  running = await serveService({ service: test.service, clients, port: 0, hostname: '127.0.0.1' });
});
afterAll(() => running.close());

const sendRaw = (path: string, headerLines: string[]) => {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: service.test', 'Connection: close', ...headerLines];
  return sendBytes(Number(new URL(running.url).port), `${lines.join('\r\n')}\r\n\r\n`);
};

const toLines = ({ apiKey, providerToken }: Credentials) => [
  `x-api-key: ${apiKey}`,
  `provider-token: ${providerToken}`,
];

describe('credentials that were tampered with', () => {
  it('are those that work when they are sent as they are', async () => {
    expect((await sendRaw('/api/carrier', toLines(test.own))).status).toBe(200);
  });

  const attacks: [string, () => string[]][] = [
    ['x-api-key twice', () => [...toLines(test.own), `x-api-key: ${test.own.apiKey}`]],
    [
      "a stranger's x-api-key before the own",
      () => [`x-api-key: ${test.other.apiKey}`, ...toLines(test.own)],
    ],
    ['provider-token twice', () => [...toLines(test.own), `Provider-Token: ${test.own.providerToken}`]],
    ['an empty second x-api-key', () => [...toLines(test.own), 'x-api-key:']],
    ['empty headers', () => ['x-api-key:', 'provider-token:']],
    ['blanks', () => ['x-api-key:   ', 'provider-token: \t ']],
    [
      'a key of twelve thousand characters',
      () => [`x-api-key: lh_key_${'a'.repeat(12_000)}`, toLines(test.own)[1]!],
    ],
    [
      'bytes that are no ASCII',
      () => [`x-api-key: lh_key_\xff\xfe\x80${'é'.repeat(20)}`, toLines(test.own)[1]!],
    ],
    [
      'a key of the right length that is no ASCII',
      () => [`x-api-key: lh_key_${'\xe9'.repeat(43)}`, toLines(test.own)[1]!],
    ],
    [
      'another script in UTF-8',
      () => [`x-api-key: ${Buffer.from('ключ').toString('latin1')}`, toLines(test.own)[1]!],
    ],
    ['a key with something behind it', () => [`x-api-key: ${test.own.apiKey}; x=1`, toLines(test.own)[1]!]],
    ['a key in quotes', () => [`x-api-key: "${test.own.apiKey}"`, toLines(test.own)[1]!]],
    ['a key in capitals', () => [`x-api-key: ${test.own.apiKey.toUpperCase()}`, toLines(test.own)[1]!]],
    ['SQL', () => [`x-api-key: lh_key_' OR 1=1 --`, `provider-token: ' OR '1'='1`]],
    ['a hash instead of a key', () => [`x-api-key: \\x${'00'.repeat(32)}`, toLines(test.own)[1]!]],
    ['the credentials in Authorization', () => [`authorization: Bearer ${test.own.apiKey}`]],
    ['the credentials in cookies', () => [`cookie: x-api-key=${test.own.apiKey}`]],
  ];

  it.each(attacks)('%s: 401', async (_, lines) => {
    const { status, body } = await sendRaw('/api/carrier', lines());
    expect(status).toBe(401);
    expect(body).toContain('invalid_credentials');
  });

  it('that exceed HTTP limits are refused before they reach the service', async () => {
    const { status } = await sendRaw('/api/carrier', [`x-api-key: ${'a'.repeat(20_000)}`]);
    expect(status).toBe(431);
  });

  it.each(['x-api-key: a\x00b', 'x-api-key: a\nx: b\x01', 'x-api-key : a'])(
    'a header line that is none, %j: refused',
    async (line) => {
      const { status } = await sendRaw('/api/carrier', [line, ...toLines(test.own)]);
      expect(status).toBe(400);
    },
  );

  it('are written into no line of the log', () => {
    const log = JSON.stringify(test.lines);
    for (const secret of [...Object.values(test.own), ...Object.values(test.other)])
      expect(log).not.toContain(secret);
  });
});

describe('an address that was forged', () => {
  it('is trusted only as far as the trusted proxy', async () => {
    const key = await test.stored.store.keys.create({
      usdot,
      name: 'office',
      access: { allowedNetworks: ['203.0.113.0/24'] },
    });
    const ask = async (forwardedFor: string) =>
      (await sendRaw('/api/carrier', [...toLines(key), `x-forwarded-for: ${forwardedFor}`])).status;
    expect(await ask('198.51.100.1, 203.0.113.7')).toBe(200);
    expect(await ask('203.0.113.7, 198.51.100.1')).toBe(403);
    expect((await sendRaw('/api/carrier', toLines(key))).status).toBe(403);
  });
});

describe('paths that try to leave their place', () => {
  const vin = toVin(1);
  const other = toVin(4);

  it.each([
    ['/api/units/%00', 400],
    [`/api/units/${usdot}%00`, 400],
    [`/api/units/${usdot}%2f${vin}`, 400],
    [`/api/units/${usdot}%252f${vin}`, 400],
    [`/api/units/${usdot}%5c..`, 400],
    ['/api/units/%zz', 400],
    ['/api/units/%ff%fe', 400],
    [`/api/units/${usdot}'%20OR%20'1'='1`, 400],
    ['/api/units/-1', 400],
    ['/api/units/１２３', 400],
    ['/api/units/1e6', 400],
    [`/api/units/${usdot}/%00${vin.slice(1)}`, 400],
    [`/api/units/${usdot}/${vin}%0a`, 200],
    [`/api/units/${usdot}/..%2f..%2fcarrier`, 400],
    [`/api/units/${usdot}/<script>alert(1)<`, 400],
    [`/api/carrier/${vin}%00`, 400],
    [`/api/carrier/..%2funits%2f${usdot}`, 400],
    [`/api/units/${OTHER_CARRIER.usdot}/${other}`, 403],
    [`/api/units/${usdot}/${other}`, 404],
    [`/api/units/${usdot}/../${OTHER_CARRIER.usdot}`, 403],
    [`/api/units/${usdot}/%2e%2e/${OTHER_CARRIER.usdot}`, 403],
    [`/api/units/%2e%2e/%2e%2e/ingest/osmand`, 401],
    [`/api//units/${usdot}`, 404],
    [`/api/units//${usdot}`, 404],
    [`/api/units/${usdot}/`, 404],
    [`/API/units/${usdot}`, 404],
  ])('%s: %d', async (path, status) => {
    const answer = await sendRaw(encodeURI(path).replaceAll('%25', '%'), toLines(test.own));
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.body).not.toMatch(/"units"|<script>/);
  });

  it.each(['/api%2funits', '//api/carrier', '/./api/carrier', '/docs/../api/carrier', '/api/./carrier'])(
    '%s reaches nothing without credentials',
    async (path) => {
      expect([401, 404]).toContain((await sendRaw(path, [])).status);
    },
  );
});

describe('guessing', () => {
  it('is answered alike whether or not the key exists, and what comes back depends on no part of it', async () => {
    const { apiKey, providerToken } = test.own;
    const nearly = (secret: string) => secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    const answers = await Promise.all(
      [
        { apiKey: nearly(apiKey), providerToken },
        { apiKey, providerToken: nearly(providerToken) },
        { apiKey: `lh_key_${'A'.repeat(43)}`, providerToken: `lh_provider_${'A'.repeat(43)}` },
        { apiKey: '', providerToken: '' },
      ].map(async (credentials) => {
        const response = await test.ask('/api/carrier', toHeaders(credentials));
        const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>;
        return JSON.stringify([response.status, body]);
      }),
    );
    expect(new Set(answers).size).toBe(1);
  });
});
