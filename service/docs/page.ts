import { html, raw } from 'hono/html';
import { PROBLEMS } from '../problem';
import type { OpenApiDocument } from './openapi';
import {
  listOperations,
  toCurl,
  createExample,
  listFields,
  type Operation,
  type OperationSchema,
} from './operation';
import { STYLE_ELEMENT } from './style';

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

const renderFields = (document: OpenApiDocument, caption: string, schema: OperationSchema): Markup => {
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

const renderExamples = (document: OpenApiDocument, operation: Operation): Markup => {
  if (!operation.isKeyed || operation.answer === null) return html``;
  const example = JSON.stringify(createExample(document, operation.answer), null, 2);
  return html`${renderCode('With curl', toCurl(operation))} ${renderCode('It answers', example)}`;
};

const renderOperation = (document: OpenApiDocument, operation: Operation): Markup => {
  const { id, method, path, summary, parameters, body, answer, responses } = operation;
  const parameterRows = parameters.map(({ name, place, description }) => [
    html`<code>${name}</code>`,
    place,
    toInline(description),
  ]);
  const responseRows = responses.map(({ status, description }) => [
    status,
    description.split('\n').map((line) => html`<div>${toInline(line)}</div>`),
  ]);
  return html`<section>
    <h3 id="${id}">${summary}</h3>
    <div class="line"><span class="method ${method.toLowerCase()}">${method}</span> <span>${path}</span></div>
    ${toParagraphs(operation.description)}
    ${
      parameterRows.length === 0
        ? ''
        : html`<h4>Parameters</h4>
            ${renderTable(`Parameters of ${summary}`, ['Name', 'In', 'Meaning'], parameterRows)}`
    }
    ${body === null ? '' : renderFields(document, `Body (${body.contentType})`, body.schema)}
    ${renderExamples(document, operation)}
    ${answer === null ? '' : renderFields(document, 'Fields of the answer', answer)}
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
              .filter((operation) => operation.tag === name)
              .map(
                ({ id, summary, method }) =>
                  html`<li><a href="#${id}">${summary}${name === 'Ingest' ? ` (${method})` : ''}</a></li>`,
              )}
          </ul>`,
    )}
  </nav>`;

/** The OpenAPI document as a page that needs no script and nothing from elsewhere. */
export const renderDocsPage = async (document: OpenApiDocument): Promise<string> => {
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
                    .filter((operation) => operation.tag === name)
                    .map((operation) => renderOperation(document, operation))}`,
            )}
            ${renderProblems()}
          </main>
        </div>
      </body>
    </html>`;
  return page.toString();
};
