import 'server-only';

const REGISTRY = Symbol.for('linehaul.once');

const readRegistry = (): Map<string, unknown> => {
  const holder = globalThis as { [REGISTRY]?: Map<string, unknown> };
  return (holder[REGISTRY] ??= new Map());
};

/**
 * The one value of that name in this process, made when it is first asked for. Next.js loads each module
 * anew for its instrumentation, its routes and its pages, so that a variable of a module is not one variable.
 * A make that throws is made again the next time.
 */
export const once = <T>(name: string, make: () => T): T => {
  const registry = readRegistry();
  if (!registry.has(name)) registry.set(name, make());
  return registry.get(name) as T;
};
