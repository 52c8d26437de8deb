import 'server-only';

/** What decoders write where there is no text: U+FFFD. */
const NO_TEXT = '%EF%BF%BD';

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
 * A request's target whose path can be decoded: in one that cannot no escape is believed, so that it
 * means nothing, as many others. Next.js would answer it with a bare 500 and print a stack.
 */
export const toReadableTarget = (target: string): string => {
  if (!target.includes('%')) return target;
  const [path = '', ...query] = target.split('?');
  return isReadable(path) ? target : [path.replaceAll('%', NO_TEXT), ...query].join('?');
};
