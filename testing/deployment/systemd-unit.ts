/** The lines of a systemd unit: the values of each key, in order. Sections are ignored, because no key is in two of ours. */
export type Unit = ReadonlyMap<string, readonly string[]>;

/** Parses a unit and its drop-ins, as one text. An empty value removes the ones before it. */
export const parseUnit = (text: string): Unit => {
  const unit = new Map<string, string[]>();
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line.trim()) ?? [];
    if (key === undefined) continue;
    unit.set(key, value === '' ? [] : [...(unit.get(key) ?? []), value!]);
  }
  return unit;
};

/** The last value of a key. @throws Error without one */
export const readKey = (unit: Unit, key: string): string => {
  const value = unit.get(key)?.at(-1);
  if (value === undefined) throw new Error(`The unit has no ${key}=.`);
  return value;
};

const toPairs = (assignments: string[]): Record<string, string> =>
  Object.fromEntries(
    assignments.map((assignment) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(assignment) ?? [];
      return [name!, value!.trim().replace(/^(['"])(.*)\1$/, '$2')];
    }),
  );

/** The variables of a file for EnvironmentFile=, also those that are set to nothing. */
const parseEnvironmentFile = (text: string): Record<string, string> =>
  toPairs(text.split('\n').filter((line) => /^[A-Za-z_]\w*=/.test(line)));

/** The variables that systemd gives the process of a unit: a file overrides Environment=. */
export const toUnitEnvironment = (
  unit: Unit,
  readFile: (path: string) => string,
): Record<string, string> => ({
  ...toPairs((unit.get('Environment') ?? []).flatMap((line) => line.split(/\s+/))),
  ...Object.assign(
    {},
    ...(unit.get('EnvironmentFile') ?? []).map((path) => parseEnvironmentFile(readFile(path))),
  ),
});
