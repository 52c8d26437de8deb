import { ServerProblemError } from '@/lib/browser/fetch-json';

/** Something wrong with a form. */
export interface Fault {
  /** The server's name of the field, as "access.allowedNetworks.0"; empty for the form as a whole. */
  field: string;
  /** A sentence. */
  message: string;
}

/** The faults by field, each as one text, and those that belong to no field of the form. */
export interface SortedFaults {
  fields: Record<string, string>;
  others: string[];
}

/** "Is empty." of "is empty", to be read on its own beside the field. */
const toSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;

/** The faults that a failed request names; the failure itself where it names none. */
export const toFaults = (error: Error): Fault[] => {
  const faults = error instanceof ServerProblemError ? (error.problem?.faults ?? []) : [];
  return faults.length === 0 ? [{ field: '', message: error.message }] : faults;
};

/** The nearest path, from the fault's own upward, that is a field of the form; null for none. */
const findField = (path: string, isField: (path: string) => boolean): string | null => {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('.'), 0)))
    if (isField(at)) return at;
  return null;
};

/** Assigns each fault to the field that shows it. A fault of a part of a field belongs to the field. */
export const sortFaults = (faults: readonly Fault[], isField: (path: string) => boolean): SortedFaults => {
  const byField = new Map<string | null, Set<string>>();
  for (const { field, message } of faults) {
    const shown = findField(field, isField);
    const text = field === '' ? message : toSentence(message);
    byField.set(shown, (byField.get(shown) ?? new Set()).add(text));
  }
  const others = [...(byField.get(null) ?? [])];
  byField.delete(null);
  return {
    fields: Object.fromEntries([...byField].map(([field, texts]) => [field!, [...texts].join(' ')])),
    others,
  };
};
