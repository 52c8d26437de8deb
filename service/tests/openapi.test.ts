import { describe, expect, it } from 'vitest';
import { createTestService } from '../../testing/service/service';
import { unitSchema } from '../contract';
import type { OpenApiDocument } from '../docs/openapi';
import { createExample } from '../docs/page';
import { PROBLEMS } from '../problem';

const test = createTestService({ basePath: '/tracking' });

const readDocument = async (): Promise<OpenApiDocument> =>
  (await (await test.ask('/tracking/openapi.json', {})).json()) as OpenApiDocument;

const FIVE = [
  '/api/units/{usdot}',
  '/api/units/{usdot}/{vin}',
  '/api/vin-numbers/{usdot}',
  '/api/carrier',
  '/api/carrier/{vin}',
];

describe('GET /openapi.json', () => {
  it('describes the five endpoints under the base path, and nothing else under /api', async () => {
    const document = await readDocument();
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: '/tracking' }]);
    expect(Object.keys(document.paths ?? {}).filter((path) => path.startsWith('/api'))).toEqual(
      expect.arrayContaining(FIVE),
    );
    expect(Object.keys(document.paths ?? {}).filter((path) => path.startsWith('/api'))).toHaveLength(
      FIVE.length,
    );
  });

  it('requires both headers together on each', async () => {
    const document = await readDocument();
    for (const path of FIVE)
      expect(document.paths![path]!.get!.security).toEqual([{ apiKey: [], providerToken: [] }]);
    expect(document.components!.securitySchemes).toMatchObject({
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      providerToken: { type: 'apiKey', in: 'header', name: 'provider-token' },
    });
  });

  it('gives every answer of an endpoint a schema, but 304, and examples that fit', async () => {
    const document = await readDocument();
    for (const path of FIVE) {
      const { responses } = document.paths![path]!.get! as {
        responses: Record<string, { content?: object }>;
      };
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['200', '304', '401', '405', '429', '500']),
      );
      for (const [status, { content }] of Object.entries(responses)) {
        const type = status === '200' ? 'application/json' : 'application/problem+json';
        expect([path, status, Object.keys(content ?? {})]).toEqual([
          path,
          status,
          status === '304' ? [] : [type],
        ]);
      }
    }
    const example = createExample(document, { $ref: '#/components/schemas/Unit' });
    expect(unitSchema.strict().parse(example)).toEqual(example);
  });

  it('names its license, a contact and, for each operation, an id, a tag and how to authenticate', async () => {
    const document = await readDocument();
    expect(document.info).toMatchObject({
      license: { url: expect.stringContaining('https://') as string },
      contact: { name: expect.any(String) as string },
    });
    const tags = document.tags!.map(({ name }) => name);
    const operations = Object.values(document.paths ?? {}).flatMap(
      (item) =>
        Object.values(item) as {
          operationId: string;
          tags: string[];
          description: string;
          responses: Record<string, { headers?: object }>;
        }[],
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, tags: own, description, responses } of operations) {
      expect(operationId).toMatch(/^[a-z]\w+$/);
      expect(tags).toEqual(expect.arrayContaining(own));
      expect(description).not.toBe('');
      expect(Object.keys(responses['401']!.headers!)).toEqual(['WWW-Authenticate']);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['405', '500', '503', '507']));
    }
  });

  it('takes a form and JSON at both addresses of Traccar', async () => {
    const { paths } = await readDocument();
    for (const path of ['/ingest/osmand', '/ingest/traccar'])
      expect(Object.keys((paths![path]!.post!.requestBody as { content: object }).content)).toEqual([
        'application/x-www-form-urlencoded',
        'application/json',
      ]);
  });

  it('has no dangling reference', async () => {
    const document = await readDocument();
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
    for (const [, name] of references) expect(Object.keys(document.components!.schemas!)).toContain(name);
  });

  it('is public, and the same for every client', async () => {
    const [anonymous, keyed] = [
      await test.ask('/tracking/openapi.json', {}),
      await test.ask('/tracking/openapi.json'),
    ];
    expect(await anonymous.text()).toBe(await keyed.text());
    const etag = anonymous.headers.get('etag')!;
    expect((await test.ask('/tracking/openapi.json', { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('GET /docs', () => {
  it('is a page that loads nothing and runs nothing', async () => {
    const response = await test.ask('/tracking/docs', {});
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|src=|@import|url\(|https?:\/\//);
  });

  it('shows every endpoint, and explains every code where problem documents point to', async () => {
    const page = await (await test.ask('/tracking/docs', {})).text();
    for (const path of FIVE) expect(page).toContain(path);
    for (const code of Object.keys(PROBLEMS)) expect(page).toContain(`id="${code}"`);
  });

  it('is where the root of the service leads', async () => {
    for (const path of ['/tracking', '/tracking/']) {
      const response = await test.ask(path, {});
      expect([response.status, response.headers.get('location')]).toEqual([302, '/tracking/docs']);
    }
  });
});

describe('a base path', () => {
  it('is required by every address, and named by every problem', async () => {
    expect((await test.ask('/tracking/api/carrier')).status).toBe(200);
    for (const path of ['/api/carrier', '/trackingapi/carrier', '/other/tracking/api/carrier']) {
      const response = await test.ask(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ type: '/tracking/docs#unknown_path' });
    }
  });
});
