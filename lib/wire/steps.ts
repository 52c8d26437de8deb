/** The difference of each number to the last one of its group; the first of a group to 0. */
export const toSteps = (list: ArrayLike<number>, groupOf: ArrayLike<number>): Int32Array => {
  const last = new Map<number, number>();
  return Int32Array.from(list, (value, i) => {
    const before = last.get(groupOf[i]!) ?? 0;
    last.set(groupOf[i]!, value);
    return value - before;
  });
};

/** The inverse of toSteps. */
export const fromSteps = (steps: ArrayLike<number>, groupOf: ArrayLike<number>): Int32Array => {
  const last = new Map<number, number>();
  return Int32Array.from(steps, (step, i) => {
    const value = (last.get(groupOf[i]!) ?? 0) + step;
    last.set(groupOf[i]!, value);
    return value;
  });
};
