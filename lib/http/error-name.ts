import 'server-only';

/**
 * The name of an error's class; undefined for what is no error.
 *
 * Our errors are told by it: Next.js loads a module once for each of its bundles, and then `instanceof` says no to an
 * error of the same class from another one.
 */
export const toErrorName = (error: unknown): string | undefined => {
  const name = (error as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
};
