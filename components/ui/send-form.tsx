'use client';

import { Button } from '@mantine/core';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ProblemNote } from './problem-note';
import { otherFaultWords, toFaults } from './field-faults';
import type { Fault } from './field-faults';
import { FormFaultsContext } from './form-fields';
import styles from './send-form.module.css';
import { useFocusWhenRefused } from './use-focus-when-refused';

interface SendFormProps {
  /** Its fields are those of form-fields.tsx: they say what is wrong with them. */
  children: ReactNode;
  action: string;
  isDangerous?: boolean;
  /** Gets what is typed so far, at each change of it. */
  onFields?: (fields: FormData) => void;
  /** Sends what was typed; resolves when that is done. */
  send: (fields: FormData) => Promise<void>;
  onCancel: () => void;
}

const NO_FAULTS: readonly Fault[] = [];

/** White on it can be read in either theme (5.6:1), as it cannot on the library's own red. */
const DANGER = 'red.9';

/**
 * A form in a dialog, which stays open until the server has taken what was typed, and says what is wrong: beside the
 * field, to which the focus goes, or above the buttons where it is no field's.
 */
export const SendForm = ({
  children,
  action,
  isDangerous = false,
  onFields,
  send,
  onCancel,
}: SendFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [isSending, setSending] = useState(false);
  const [faults, setFaults] = useState(NO_FAULTS);
  const [shown, setShown] = useState<readonly string[]>([]);
  const show = useCallback((name: string) => {
    setShown((names) => [...names, name]);
    return () => setShown((names) => names.filter((each) => each !== name));
  }, []);
  const known = useMemo(() => ({ faults, show }), [faults, show]);

  useFocusWhenRefused(form, !isSending && faults.length > 0);

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setSending(true);
    setFaults(NO_FAULTS);
    send(new FormData(event.currentTarget))
      .catch((cause: unknown) =>
        setFaults(toFaults(cause instanceof Error ? cause : new Error(String(cause)))),
      )
      .finally(() => setSending(false));
  };
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={submit}
      onChange={(event) => onFields?.(new FormData(event.currentTarget))}
      noValidate
    >
      <FormFaultsContext value={known}>{children}</FormFaultsContext>
      <div role="alert">
        {otherFaultWords(faults, shown).map((words) => (
          <ProblemNote key={words}>{words}</ProblemNote>
        ))}
      </div>
      <div className={styles.foot}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isSending} {...(isDangerous && { color: DANGER })}>
          {action}
        </Button>
      </div>
    </form>
  );
};
