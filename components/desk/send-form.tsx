'use client';

import { Button } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ProblemNote } from '@/components/screen/problem-note';
import { ServerProblemError } from '@/lib/queries/fetch-json';
import styles from './send-form.module.css';

interface SendFormProps {
  /** What is in the form, by the names under which the server speaks of it. */
  labels: Readonly<Record<string, string>>;
  children: ReactNode;
  action: string;
  isDangerous?: boolean;
  /** Sends what was typed; resolves when that is done. */
  send: (fields: FormData) => Promise<void>;
  onCancel: () => void;
}

/** "Allowed addresses: names no address." of a fault in "access.allowedNetworks.0". */
const toWords = (error: Error, labels: SendFormProps['labels']): string[] => {
  const faults = error instanceof ServerProblemError ? (error.problem?.faults ?? []) : [];
  const told = faults.map(({ field, message }) => {
    const name = Object.keys(labels).find((label) => field === label || field.startsWith(`${label}.`));
    const sentence = message.endsWith('.') ? message : `${message}.`;
    return name === undefined ? sentence : `${labels[name]}: ${sentence}`;
  });
  return told.length > 0 ? [...new Set(told)] : [error.message];
};

/** A form in a dialog, which stays open and says what is wrong until the server has taken what was typed. */
export const SendForm = ({
  labels,
  children,
  action,
  isDangerous = false,
  send,
  onCancel,
}: SendFormProps) => {
  const [isSending, setSending] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setSending(true);
    setProblems([]);
    send(new FormData(event.currentTarget))
      .catch((cause: unknown) =>
        setProblems(toWords(cause instanceof Error ? cause : new Error(String(cause)), labels)),
      )
      .finally(() => setSending(false));
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {children}
      <div role="alert">
        {problems.map((problem) => (
          <ProblemNote key={problem}>{problem}</ProblemNote>
        ))}
      </div>
      <div className={styles.foot}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isSending} {...(isDangerous && { color: 'red' })}>
          {action}
        </Button>
      </div>
    </form>
  );
};
