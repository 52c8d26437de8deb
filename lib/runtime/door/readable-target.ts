import 'server-only';

/** "%E0%A4%A" is no text in UTF-8, "%zz" no escape at all. */
const isReadable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/**
 * A request's target whose path can be decoded: one that cannot is taken by its letters, so that it means nothing, as
 * any other. Next.js would answer it with a bare 500 and print a stack.
 */
export const toReadableTarget = (target: string): string => {
  if (!target.includes('%')) return target;
  const [path = '', ...query] = target.split('?');
  return isReadable(path) ? target : [path.replaceAll('%', '%25'), ...query].join('?');
};
