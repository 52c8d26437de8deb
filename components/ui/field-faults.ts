import { ServerProblemError } from '@/lib/browser/fetch-json';

export interface Fault {
  /** The path of the field, such as "access.allowedNetworks.0"; empty for the form as a whole. */
  field: string;
  /** A sentence. */
  message: string;
}

/** The errors by field, each as one text, and those that belong to no field of the form. */
interface SortedFaults {
  fields: Record<string, string>;
  others: string[];
}

/** "is empty" as a sentence of its own: "Is empty." */
const toSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;

/** The faults in the answer to a failed request; the error itself if there are none. */
export const toFaults = (error: Error): Fault[] => {
  const faults = error instanceof ServerProblemError ? (error.problem?.faults ?? []) : [];
  return faults.length === 0 ? [{ field: '', message: error.message }] : faults;
};

/** The nearest path, from the fault's own upward, that is a field of the form; null if none is. */
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
