'use client';

import { Button } from '@mantine/core';
import { useRef, useState, useSyncExternalStore } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useFocusWhenRefused } from '@/components/ui/use-focus-when-refused';
import { ProblemNote } from '@/components/ui/problem-note';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import styles from '../layout/entry-page.module.css';

/** What is wrong with the fields, by name. */
export type Faults = Readonly<Record<string, string>>;

interface EntryFormProps {
  /** The names of those fields that show what is wrong with them. */
  fields: readonly string[];
  /** The fields, given what is wrong with them. */
  children: (faults: Faults) => ReactNode;
  /** What pressing it does. */
  action: string;
  /** Sends the fields; when it ends well the page is left. */
  send: (fields: Record<string, string>) => Promise<void>;
}

const readFields = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

const toFaults = (error: unknown): Faults =>
  error instanceof ServerProblemError
    ? Object.fromEntries((error.problem?.faults ?? []).map(({ field, message }) => [field, message]))
    : {};

const subscribeToNothing = () => () => undefined;

/** Whether scripts run: until then, a press would be sent without them. */
const useScripts = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

/** A form that says what is wrong beside the field, or above the button where it is none's, and reads it out. */
export const EntryForm = ({ fields, children, action, send }: EntryFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [isSending, setSending] = useState(false);
  const isReady = useScripts();
  const [error, setError] = useState<Error | null>(null);
  const faults = toFaults(error);
  const isOfField = fields.some((field) => faults[field] !== undefined);
  useFocusWhenRefused(form, error !== null && !isSending);

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setSending(true);
    setError(null);
    send(readFields(event.currentTarget)).catch((cause: unknown) => {
      setError(cause instanceof Error ? cause : new Error(String(cause)));
      setSending(false);
    });
  };

  return (
    <form ref={form} className={styles.form} method="post" onSubmit={submit} noValidate>
      {children(faults)}
      <div role="alert">
        {error !== null && !isOfField ? <ProblemNote>{error.message}</ProblemNote> : null}
      </div>
      <Button type="submit" size="md" fullWidth loading={isSending} disabled={!isReady}>
        {action}
      </Button>
    </form>
  );
};
