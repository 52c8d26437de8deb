import 'server-only';

/**
 * Refreshes a value beside the polls of units. `refresh` starts `read` unless one is in flight, and resolves
 * once it has ended; `onChange` runs with each value that differs from the one before. `read` must not
 * reject.
 */
export const createSideReader = <T>(
  read: () => Promise<T>,
  first: T,
  onChange: (value: T) => void,
): { refresh: () => Promise<void> } => {
  let held = first;
  let underWay: Promise<void> | null = null;

  const readOnce = async (): Promise<void> => {
    const next = await read();
    underWay = null;
    if (next === held) return;
    held = next;
    onChange(next);
  };

  return { refresh: () => (underWay ??= readOnce()) };
};
