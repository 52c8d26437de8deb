import 'server-only';

export type JsonObject = Record<string, unknown>;

/** Whether parsed JSON is an object, and no list. */
export const isJsonObject = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
