import type { OpenApiDocument } from './openapi';
import type { Schema } from './schema';

interface Media {
  schema?: Schema;
}

interface RawOperation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
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
  body: { contentType: string; schema: Schema } | null;
  answer: Schema | null;
  responses: { status: string; description: string }[];
}

const firstMedia = (
  content: Record<string, Media> | undefined,
): { contentType: string; schema: Schema } | null => {
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
