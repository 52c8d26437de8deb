/** The value of a stored JSON text; the fallback where there is none, or one that is cut short or that `accepts` refuses or throws for. */
export const fromStored = <T>(
  text: string | null,
  accepts: (value: unknown) => value is T,
  fallback: T,
): T => {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return accepts(value) ? value : fallback;
  } catch {
    // Cut short, or damaged within.
    return fallback;
  }
};
