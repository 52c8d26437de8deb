import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ServiceEnv } from '../context';

const API_VERSION = '1.0.0';

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

const DESCRIPTION = `Live positions of a carrier's vehicles, and who the carrier of a vehicle is.

Every endpoint under \`/api\` and \`/extensions\` needs two headers, \`x-api-key\` and \`provider-token\`, which are issued together and are secrets of a server: never send them from a browser. A key sees its own carrier's USDOT number only, and may be bound to some of the endpoints, to addresses, to a time and to a number of requests a minute. Where there is such an allowance every answer has what is left of it in \`RateLimit\` and \`RateLimit-Policy\`.

Times are ISO 8601 in UTC; \`unixTimestamp\` is in seconds; coordinates are WGS 84. An unknown field is null, never absent.

Every answer has a strong ETag and obeys If-None-Match. Errors are problem documents (RFC 9457) with a stable \`code\`. Every answer has an \`X-Request-Id\`: that of the request, if it is 1 to 128 visible ASCII characters.`;

/** Names the ways to authenticate that the routes refer to. */
export const registerSecurity = ({ openAPIRegistry }: OpenAPIHono<ServiceEnv>): void => {
  const register = (component: string, name: string, description: string) =>
    openAPIRegistry.registerComponent('securitySchemes', component, {
      type: 'apiKey',
      in: 'header',
      name,
      description,
    });
  register('apiKey', 'x-api-key', 'The API key.');
  register(
    'providerToken',
    'provider-token',
    'The provider token that was issued together with the API key.',
  );
};

/** The OpenAPI 3.1 document of all routes that the app has. */
export const createOpenApiDocument = (app: OpenAPIHono<ServiceEnv>, basePath: string): OpenApiDocument =>
  app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Vehicle Tracking and Carrier Lookup',
      version: API_VERSION,
      description: DESCRIPTION,
      contact: { name: 'The Linehaul authors' },
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    tags: [
      { name: 'Tracking', description: 'Where the vehicles of a carrier are.' },
      { name: 'Carriers', description: 'Who a carrier is.' },
      { name: 'Extensions', description: 'What the other endpoints have no field for.' },
      {
        name: 'Ingest',
        description: 'How devices report. Each protocol keeps the units of its own documentation.',
      },
    ],
  });
