import { ServerProblemError } from '@/lib/browser/fetch-json';

/** Something that the server found wrong, and the name by which it speaks of the field; empty for the form as a whole. */
export interface Fault {
  field: string;
  /** A sentence. */
  message: string;
}

/** "Is empty." of "is empty": it stands beside the field that it is about. */
const toSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;

/** Everything that is wrong by what came of sending a form; never nothing. */
export const toFaults = (error: Error): Fault[] => {
  const told = error instanceof ServerProblemError ? (error.problem?.faults ?? []) : [];
  return told.length === 0
    ? [{ field: '', message: error.message }]
    : told.map(({ field, message }) => ({ field, message: toSentence(message) }));
};

/** Whether a fault is of a field, or of a part of it, as "access.allowedNetworks.0" is of "access.allowedNetworks". */
const isOf = ({ field }: Fault, name: string): boolean => field === name || field.startsWith(`${name}.`);

const toWords = (faults: readonly Fault[]): string[] => [...new Set(faults.map(({ message }) => message))];

/** What is wrong with one field, in words; null for nothing. */
export const faultWords = (faults: readonly Fault[], name: string): string | null =>
  toWords(faults.filter((fault) => isOf(fault, name))).join(' ') || null;

/** What is wrong beside the fields that are named. */
export const otherFaultWords = (faults: readonly Fault[], names: Iterable<string>): string[] => {
  const shown = [...names];
  return toWords(faults.filter((fault) => !shown.some((name) => isOf(fault, name))));
};
