import type { OpenAPIHono } from '@hono/zod-openapi';
import { createRepresentation, type Representation } from '../answer/representation';
import { PUBLIC, respond } from '../answer/respond';
import type { ServiceContext, ServiceEnv } from '../context';
import { renderDocsPage } from '../docs/page';
import { DOCS_POLICY } from '../docs/style';
import { createOpenApiDocument } from '../docs/openapi';

const HTML = 'text/html; charset=utf-8';

/** The OpenAPI document and the page made from it. They hold no carrier's data and are public. */
export const addDocumentRoutes = (app: OpenAPIHono<ServiceEnv>, { basePath }: ServiceContext): void => {
  let openApi: Representation | null = null;
  let docs: Representation | null = null;

  app.get('/openapi.json', (c) => {
    openApi ??= createRepresentation(JSON.stringify(createOpenApiDocument(app, basePath), null, 1));
    return respond(c.req.raw, openApi, PUBLIC);
  });

  app.get('/docs', async (c) => {
    docs ??= createRepresentation(await renderDocsPage(createOpenApiDocument(app, basePath)), HTML);
    return respond(c.req.raw, docs, { ...PUBLIC, headers: { 'content-security-policy': DOCS_POLICY } });
  });

  app.get('/', (c) => c.redirect(`${basePath}/docs`));
};
