import 'server-only';

/** The replacement character that decoders write for invalid bytes: U+FFFD. */
const NO_TEXT = '%EF%BF%BD';

/** "%E0%A4%A" is not valid UTF-8, "%zz" no escape at all. */
const isReadable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/**
 * A request's target with a path that can be decoded: every percent sign of an undecodable path is replaced,
 * so that it is an ordinary unknown address. Next.js would answer it with a bare 500 and print a stack.
 */
export const toReadableTarget = (target: string): string => {
  if (!target.includes('%')) return target;
  const [path = '', ...query] = target.split('?');
  return isReadable(path) ? target : [path.replaceAll('%', NO_TEXT), ...query].join('?');
};
