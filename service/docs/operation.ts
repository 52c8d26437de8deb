import type { OpenApiDocument } from './openapi';

interface Media {
  schema?: OperationSchema;
}

interface RawOperation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: OperationSchema;
  }[];
  requestBody?: { content?: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

/** One request line of the document, as the page shows it. */
export interface Operation {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  isKeyed: boolean;
  parameters: { name: string; place: string; description: string }[];
  body: { contentType: string; schema: OperationSchema } | null;
  answer: OperationSchema | null;
  responses: { status: string; description: string }[];
}

const firstMedia = (
  content: Record<string, Media> | undefined,
): { contentType: string; schema: OperationSchema } | null => {
  const [contentType, media] = Object.entries(content ?? {})[0] ?? [];
  return contentType === undefined || media?.schema === undefined
    ? null
    : { contentType, schema: media.schema };
};

const toOperation = (method: string, path: string, raw: RawOperation): Operation => ({
  id: raw.operationId ?? `${method}${path.replaceAll(/\W+/g, '-')}`,
  tag: raw.tags?.[0] ?? '',
  method: method.toUpperCase(),
  path,
  summary: raw.summary ?? '',
  description: raw.description ?? '',
  isKeyed: raw.security?.some((scheme) => 'apiKey' in scheme) ?? false,
  parameters: (raw.parameters ?? []).map(({ name, in: place, description, schema }) => ({
    name,
    place,
    description: description ?? schema?.description ?? '',
  })),
  body: firstMedia(raw.requestBody?.content),
  answer: firstMedia(raw.responses['200']?.content)?.schema ?? null,
  responses: Object.entries(raw.responses).map(([status, { description }]) => ({ status, description })),
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export const listOperations = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) =>
      toOperation(method, path, item[method] as unknown as RawOperation),
    ),
  );

const PARAMETER_EXAMPLES: Record<string, string> = { usdot: '9000001', vin: '1XKYD49X8KJ900001' };

/** A call of one of the five endpoints with curl; secrets are left to variables of the shell. */
export const toCurl = (operation: Operation): string => {
  const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => PARAMETER_EXAMPLES[name] ?? name);
  return `curl "$BASE_URL${path}" \\\n  -H "x-api-key: $API_KEY" \\\n  -H "provider-token: $PROVIDER_TOKEN"`;
};

/** The part of a JSON schema that the page reads. */
export interface OperationSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  example?: unknown;
  properties?: Record<string, OperationSchema>;
  required?: string[];
  items?: OperationSchema;
}

/** One row of a table of fields; the name of a field within a field is spelled with a dot. */
export interface Field {
  name: string;
  type: string;
  description: string;
}

const MAX_DEPTH = 4;

const resolveSchema = (document: OpenApiDocument, schema: OperationSchema): OperationSchema => {
  const name = schema.$ref?.split('/').pop();
  if (name === undefined) return schema;
  return (document.components?.schemas?.[name] ?? {}) as OperationSchema;
};

const toTypeName = (document: OpenApiDocument, schema: OperationSchema): string => {
  const types = [schema.type ?? 'any'].flat();
  const names = types.map((type) => {
    if (type !== 'array') return schema.format === 'date-time' ? 'date and time' : type;
    return `list of ${toTypeName(document, resolveSchema(document, schema.items ?? {}))}`;
  });
  return names.join(' or ');
};

/** The fields of an object, those of its objects and lists of objects after them. */
export const listFields = (
  document: OpenApiDocument,
  schema: OperationSchema,
  prefix = '',
  depth = 0,
): Field[] => {
  const own = resolveSchema(document, schema);
  return Object.entries(own.properties ?? {}).flatMap(([key, property]) => {
    const value = resolveSchema(document, property);
    const name = prefix + key;
    const field = { name, type: toTypeName(document, value), description: value.description ?? '' };
    if (depth === MAX_DEPTH) return [field];
    const inner =
      value.items === undefined
        ? listFields(document, value, `${name}.`, depth + 1)
        : listFields(document, value.items, `${name}[].`, depth + 1);
    return [field, ...inner];
  });
};

/** A value of the schema, put together from the examples of its parts; undefined where a part has none. */
export const createExample = (document: OpenApiDocument, schema: OperationSchema, depth = 0): unknown => {
  const own = resolveSchema(document, schema);
  if (own.example !== undefined) return own.example;
  if (depth === MAX_DEPTH) return undefined;
  if (own.items !== undefined) return [createExample(document, own.items, depth + 1)];
  if (own.properties === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(own.properties).map(([key, property]) => [
      key,
      createExample(document, property, depth + 1),
    ]),
  );
};
