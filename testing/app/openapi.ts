import { z, type ZodType } from 'zod';
import type { RouteDefinition } from '@/server/route';

/** The exported handlers of a route file, by method. */
export type RouteModule = Record<string, { definition?: RouteDefinition }>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const toSchema = (schema: ZodType, io: 'input' | 'output'): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

const toJson = (schema: ZodType, io: 'input' | 'output') => ({
  content: { 'application/json': { schema: toSchema(schema, io) } },
});

/** The parameters of the query, each with its own schema. */
const toQuery = (query: ZodType) => {
  const { properties = {}, required = [] } = toSchema(query, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
  }));
};

const toOperation = (path: string, { summary, access, query, body, answer }: RouteDefinition) => {
  const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
  const parameters = [...parts, ...(query === undefined ? [] : toQuery(query))];
  return {
    summary,
    'x-access': access,
    ...(access === 'program' && { security: [{ loadKey: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, ...toJson(body, 'input') } }),
    responses: {
      '2XX': { description: 'The answer.', ...(answer !== undefined && toJson(answer, 'output')) },
      default: { description: 'A problem document (RFC 9457).' },
    },
  };
};

/** The address that a route file answers, with its variable parts in braces. */
const toPath = (file: string): string =>
  file
    .replace(/^\.\//, '/')
    .replace(/\/route\.ts$/, '')
    .replace(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}');

const toDocument = (modules: Record<string, RouteModule>) => ({
  openapi: '3.1.0',
  info: {
    title: 'Linehaul application',
    version: '1',
    description:
      'The routes that the pages of Linehaul request, with the session cookie of a signed-in viewer. They change with the pages; programs use the tracking API, and for loads the routes of /api/v1 with a key for loads (docs/loads-api.md). x-access: who may request a route (docs/architecture.md, Access).',
  },
  components: { securitySchemes: { loadKey: { type: 'http', scheme: 'bearer' } } },
  paths: Object.fromEntries(
    Object.entries(modules)
      .map(([file, module]): [string, object] => {
        const path = toPath(file);
        const operations = METHODS.flatMap((method) => {
          const definition = module[method]?.definition;
          return definition === undefined
            ? []
            : [[method.toLowerCase(), toOperation(path, definition)] as const];
        });
        return [path, Object.fromEntries(operations)];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
});

/**
 * The OpenAPI document of the application's own routes, with a line for each path.
 * @param modules by file, as `./api/fleets/route.ts`
 */
export const toOpenApi = (modules: Record<string, RouteModule>): string => {
  const { paths, ...head } = toDocument(modules);
  const lines = Object.entries(paths).map(
    ([path, item]) => `${JSON.stringify(path)}:${JSON.stringify(item)}`,
  );
  return `${JSON.stringify(head).slice(0, -1)},\n"paths":{\n${lines.join(',\n')}\n}}\n`;
};
