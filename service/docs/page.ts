import type { OpenAPIHono } from '@hono/zod-openapi';
import { html, raw } from 'hono/html';
import { PUBLIC, createRepresentation, respond, type Representation } from '../answer/representation';
import type { ServiceContext, ServiceEnv } from '../context';
import { PROBLEMS } from '../problem';
import { createOpenApiDocument, type OpenApiDocument } from './openapi';
import { DOCS_POLICY, STYLE_ELEMENT } from './style';

/** The part of a JSON schema that the page reads. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
}

type Content = Record<string, { schema: Schema }>;

/** The part of an operation that the page reads, with its request line. */
interface Operation {
  method: string;
  path: string;
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; description?: string; schema?: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

const METHODS = ['get', 'post'] as const;

const listOperations = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({
      ...(item[method] as unknown as Operation),
      method: method.toUpperCase(),
      path,
    })),
  );

const PARAMETER_EXAMPLES: Record<string, string> = { usdot: '9000001', vin: '1XKYD49X8KJ900001' };

/** A call of one of the five endpoints with curl; secrets are left to variables of the shell. */
const toCurl = (operation: Operation): string => {
  const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => PARAMETER_EXAMPLES[name] ?? name);
  return `curl "$BASE_URL${path}" \\\n  -H "x-api-key: $API_KEY" \\\n  -H "provider-token: $PROVIDER_TOKEN"`;
};

const MAX_DEPTH = 4;

const resolveSchema = (document: OpenApiDocument, schema: Schema): Schema => {
  const name = schema.$ref?.split('/').pop();
  return name === undefined ? schema : ((document.components?.schemas?.[name] ?? {}) as Schema);
};

const toTypeName = (document: OpenApiDocument, schema: Schema): string => {
  const names = [schema.type ?? 'any'].flat().map((type) => {
    if (type !== 'array') return schema.format === 'date-time' ? 'date and time' : type;
    return `list of ${toTypeName(document, resolveSchema(document, schema.items ?? {}))}`;
  });
  return names.join(' or ');
};

/** The fields of an object, those of its objects and lists of objects after them, with a dot in their names. */
const listFields = (
  document: OpenApiDocument,
  schema: Schema,
  prefix = '',
  depth = 0,
): { name: string; type: string; description: string }[] => {
  const own = resolveSchema(document, schema);
  return Object.entries(own.properties ?? {}).flatMap(([key, property]) => {
    const value = resolveSchema(document, property);
    const name = prefix + key;
    const field = { name, type: toTypeName(document, value), description: value.description ?? '' };
    if (depth === MAX_DEPTH) return [field];
    const [inner, mark] = value.items === undefined ? [value, '.'] : [value.items, '[].'];
    return [field, ...listFields(document, inner, name + mark, depth + 1)];
  });
};

/** A value of the schema, put together from the examples of its parts; undefined where a part has none. */
export const createExample = (document: OpenApiDocument, schema: Schema, depth = 0): unknown => {
  const own = resolveSchema(document, schema);
  if (own.example !== undefined) return own.example;
  if (depth === MAX_DEPTH) return undefined;
  const toExample = (part: Schema): unknown => createExample(document, part, depth + 1);
  if (own.items !== undefined) return [toExample(own.items)];
  if (own.properties === undefined) return undefined;
  return Object.fromEntries(Object.entries(own.properties).map(([key, part]) => [key, toExample(part)]));
};

type Markup = ReturnType<typeof html>;

/** A text with `code` in backticks, in paragraphs that empty lines divide. */
const toInline = (text: string): Markup[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
const toParagraphs = (text: string): Markup[] =>
  text.split('\n\n').map((paragraph) => html`<p>${toInline(paragraph)}</p>`);

const renderTable = (caption: string, heads: string[], rows: (string | Markup | Markup[])[][]): Markup =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...rest]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${rest.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

const renderFields = (document: OpenApiDocument, caption: string, schema: Schema): Markup => {
  const fields = listFields(document, schema);
  if (fields.length === 0) return html``;
  // A column that would stay empty is left out.
  const isExplained = fields.some((field) => field.description !== '');
  const rows = fields.map(({ name, type, description }) => [
    html`<code>${name}</code>`,
    type,
    ...(isExplained ? [toInline(description)] : []),
  ]);
  return html`<h4>${caption}</h4>
    ${renderTable(caption, ['Field', 'Type', ...(isExplained ? ['Meaning'] : [])], rows)}`;
};

const renderCode = (caption: string, code: string): Markup =>
  html`<h4>${caption}</h4>
    <pre tabindex="0" role="group" aria-label="${caption}"><code>${code}</code></pre>`;

const renderExamples = (document: OpenApiDocument, operation: Operation, answer: Schema): Markup => {
  const example = JSON.stringify(createExample(document, answer), null, 2);
  return html`${renderCode('With curl', toCurl(operation))} ${renderCode('It answers', example)}`;
};

const renderBody = (document: OpenApiDocument, { requestBody }: Operation): Markup | '' => {
  const [body] = Object.entries(requestBody?.content ?? {});
  return body === undefined ? '' : renderFields(document, `Body (${body[0]})`, body[1].schema);
};

const renderOperation = (document: OpenApiDocument, operation: Operation): Markup => {
  const { method, path, summary, parameters = [], responses, security } = operation;
  const [answer] = Object.values(responses['200']?.content ?? {});
  const isKeyed = security.some((scheme) => 'apiKey' in scheme);
  const parameterRows = parameters.map(({ name, in: place, description, schema }) => [
    html`<code>${name}</code>`,
    place,
    toInline(description ?? schema?.description ?? ''),
  ]);
  const responseRows = Object.entries(responses).map(([status, { description }]) => [
    status,
    description.split('\n').map((line) => html`<div>${toInline(line)}</div>`),
  ]);
  return html`<section>
    <h3 id="${operation.operationId}">${summary}</h3>
    <div class="line"><span class="method ${method.toLowerCase()}">${method}</span> <span>${path}</span></div>
    ${toParagraphs(operation.description)}
    ${
      parameterRows.length === 0
        ? ''
        : html`<h4>Parameters</h4>
            ${renderTable(`Parameters of ${summary}`, ['Name', 'In', 'Meaning'], parameterRows)}`
    }
    ${renderBody(document, operation)}
    ${isKeyed && answer !== undefined ? renderExamples(document, operation, answer.schema) : ''}
    ${answer === undefined ? '' : renderFields(document, 'Fields of the answer', answer.schema)}
    <h4>Answers</h4>
    ${renderTable(`Answers of ${summary}`, ['Status', 'When'], responseRows)}
  </section>`;
};

const renderAuthentication = (): Markup =>
  html`<h2 id="authentication">Authentication</h2>
    <p>
      Every endpoint under <code>/api</code> and <code>/extensions</code> takes both headers. They are issued
      together and belong together.
    </p>
    ${renderTable(
      'Headers',
      ['Header', 'Meaning'],
      [
        [html`<code>x-api-key</code>`, 'The API key. It belongs to one carrier.'],
        [html`<code>provider-token</code>`, 'The provider token issued together with the key.'],
      ],
    )}
    <p>Devices that report under <code>/ingest</code> bear an ingest token of the carrier instead.</p>`;

const renderProblems = (): Markup =>
  html`<h2 id="problems">Problems</h2>
    <p>
      What goes wrong is answered as <code>application/problem+json</code> (RFC 9457) with <code>type</code>,
      <code>title</code>, <code>status</code>, <code>code</code>, <code>requestId</code> and, where there is
      more to say, <code>detail</code>. Programs go by <code>code</code>.
    </p>
    ${renderTable(
      'Problems',
      ['Code', 'Status', 'Meaning'],
      Object.entries(PROBLEMS).map(([code, { status, meaning }]) => [
        html`<code id="${code}">${code}</code>`,
        String(status),
        toInline(meaning),
      ]),
    )}`;

const renderNavigation = (document: OpenApiDocument, operations: Operation[]): Markup =>
  html`<nav aria-label="Contents">
    <a class="name" href="#top">${document.info.title}</a>
    <h2>Start</h2>
    <ul>
      <li><a href="#authentication">Authentication</a></li>
      <li><a href="#problems">Problems</a></li>
    </ul>
    ${document.tags?.map(
      ({ name }) =>
        html`<h2>${name}</h2>
          <ul>
            ${operations
              .filter(({ tags }) => tags[0] === name)
              .map(
                ({ operationId: id, summary, method }) =>
                  html`<li><a href="#${id}">${summary}${name === 'Ingest' ? ` (${method})` : ''}</a></li>`,
              )}
          </ul>`,
    )}
  </nav>`;

/** The OpenAPI document as a page that needs no script and nothing from elsewhere. */
const renderDocsPage = async (document: OpenApiDocument): Promise<string> => {
  const operations = listOperations(document);
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}</title>
        ${raw(STYLE_ELEMENT)}
      </head>
      <body>
        <a class="skip" href="#top">Skip to the content</a>
        <div class="frame">
          ${renderNavigation(document, operations)}
          <main id="top">
            <h1>${document.info.title}</h1>
            <p class="facts">
              Version ${document.info.version} · base path <code>${document.servers?.[0]?.url ?? '/'}</code> ·
              <a href="openapi.json">OpenAPI 3.1 document</a>
            </p>
            ${toParagraphs(document.info.description ?? '')} ${renderAuthentication()}
            ${document.tags?.map(
              ({ name, description }) =>
                html`<h2>${name}</h2>
                  ${toParagraphs(description ?? '')}
                  ${operations
                    .filter(({ tags }) => tags[0] === name)
                    .map((operation) => renderOperation(document, operation))}`,
            )}
            ${renderProblems()}
          </main>
        </div>
      </body>
    </html>`;
  return page.toString();
};

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
