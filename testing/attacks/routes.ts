import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

export interface Route {
  /** Such as "POST api/users/[id]/reset". */
  name: string;
  method: string;
  handler: Handler;
  /** The names of its path's variable parts. */
  params: string[];
}

const APP = fileURLToPath(new URL('../../app', import.meta.url));
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every handler of app/, from the file system, so that new ones are included. */
export const readRoutes = async (): Promise<Route[]> => {
  const files = readdirSync(APP, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('/route.ts'))
    .sort();
  const modules = await Promise.all(
    files.map(async (file) => ({
      path: file.slice(0, -'/route.ts'.length),
      handlers: (await import(join(APP, file))) as Partial<Record<string, Handler>>,
    })),
  );
  return modules.flatMap(({ path, handlers }) =>
    METHODS.flatMap((method) => {
      const handler = handlers[method];
      const params = [...path.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map(([, name]) => name!);
      return handler === undefined ? [] : [{ name: `${method} ${path}`, method, handler, params }];
    }),
  );
};

/** Those of them that may change something. */
export const readChangingRoutes = async (): Promise<Route[]> =>
  (await readRoutes()).filter(({ method }) => method !== 'GET');
