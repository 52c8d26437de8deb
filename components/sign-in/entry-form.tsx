'use client';

import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ServerProblemError } from '@/lib/queries/fetch-json';
import styles from './entry-page.module.css';

/** What is wrong with the fields, by name. */
export type Faults = Readonly<Record<string, string>>;

interface EntryFormProps {
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

/** A form that says what is wrong beside the field, or above the button where it is none's, and reads it out. */
export const EntryForm = ({ children, action, send }: EntryFormProps) => {
  const [isSending, setSending] = useState(false);
  // Until scripts run, a press would put the fields into the address.
  const [isReady, setReady] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => setReady(true), []);
  const faults = toFaults(error);
  const isOfField = Object.keys(faults).some((field) => form.current?.elements.namedItem(field));

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
        {error !== null && !isOfField ? <p className={styles.problem}>{error.message}</p> : null}
      </div>
      <Button type="submit" size="md" fullWidth loading={isSending} disabled={!isReady}>
        {action}
      </Button>
    </form>
  );
};
