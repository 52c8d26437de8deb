import type { OpenApiDocument } from './openapi';

/** The part of a JSON schema that the page reads. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** One row of a table of fields; the name of a field within a field is spelt with a dot. */
export interface Field {
  name: string;
  type: string;
  description: string;
}

const MAX_DEPTH = 4;

const resolveSchema = (document: OpenApiDocument, schema: Schema): Schema => {
  const name = schema.$ref?.split('/').pop();
  if (name === undefined) return schema;
  return (document.components?.schemas?.[name] ?? {}) as Schema;
};

const toTypeName = (document: OpenApiDocument, schema: Schema): string => {
  const types = [schema.type ?? 'any'].flat();
  const names = types.map((type) => {
    if (type !== 'array') return schema.format === 'date-time' ? 'date and time' : type;
    return `list of ${toTypeName(document, resolveSchema(document, schema.items ?? {}))}`;
  });
  return names.join(' or ');
};

/** The fields of an object, those of its objects and lists of objects after them. */
export const listFields = (document: OpenApiDocument, schema: Schema, prefix = '', depth = 0): Field[] => {
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
export const createExample = (document: OpenApiDocument, schema: Schema, depth = 0): unknown => {
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
