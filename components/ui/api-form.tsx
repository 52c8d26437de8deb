'use client';

import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ZodType } from 'zod';
import { sortFaults, toFaults } from './field-faults';
import type { Fault } from './field-faults';
import { ProblemNote } from './problem-note';

/** What the fields of a form need of it. */
export interface FormFields<Values = unknown> {
  /** What is typed; in a form of a page of its own (without `onCancel`) the initial values. */
  values: Values;
  /** The props of the input whose name the server and the schema use for it. */
  field: (path: string) => GetInputPropsReturnType & { name: string };
  setValue: (path: string, value: unknown) => void;
}

interface ApiFormProps<Values, Input> {
  initialValues: Values;
  /** What is sent of the values; the values themselves without it. */
  toInput?: (values: Values) => Input;
  /** Checked before it is sent, with the messages that the server would answer. */
  schema?: ZodType;
  /** Resolves when the form is done with: it is not enabled again. */
  send: (input: Input) => Promise<void>;
  action: string;
  isDangerous?: boolean;
  /** In a dialog. */
  onCancel?: () => void;
  children: (form: FormFields<Values>) => ReactNode;
}

/** Readable in both themes with white text (5.6:1), unlike the library's own red. */
const DANGER = 'red.9';

const subscribeToNothing = () => () => undefined;

/** False until hydration: before it, the browser would submit the form itself. */
const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

const toPathOf = (element: Element): string => element.getAttribute('data-path') ?? '';

/** Sends values to our server, and shows what is wrong beside the fields or above the button. */
const useApiForm = <Values extends object, Input>(props: ApiFormProps<Values, Input>) => {
  const { initialValues, toInput = (values: Values) => values as unknown as Input, schema, send } = props;
  const isDialog = props.onCancel !== undefined;
  const element = useRef<HTMLFormElement>(null);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<{ others: string[] } | null>(null);
  // A page's form may be filled in before hydration, which only inputs that keep their own value survive.
  const form = useForm<Values>({ mode: isDialog ? 'controlled' : 'uncontrolled', initialValues });

  useEffect(() => {
    if (refusal === null) return;
    const first = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (first) first.focus();
    // The button lost the focus while it was disabled.
    else if (document.activeElement === document.body)
      element.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }, [refusal]);

  const refuse = (faults: readonly Fault[]): void => {
    const fields = new Set([...(element.current?.querySelectorAll('[data-path]') ?? [])].map(toPathOf));
    const sorted = sortFaults(faults, (path) => fields.has(path));
    form.setErrors(sorted.fields);
    setRefusal({ others: sorted.others });
    setSending(false);
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isDialog)
      for (const input of event.currentTarget.querySelectorAll<HTMLInputElement>('input[data-path]'))
        form.setFieldValue(toPathOf(input), input.value as never);
    const input = toInput(form.getValues());
    const issues = schema?.safeParse(input).error?.issues ?? [];
    form.clearErrors();
    setRefusal(null);
    if (issues.length > 0)
      return refuse(issues.map(({ path, message }) => ({ field: path.join('.'), message })));
    setSending(true);
    send(input).catch((cause: unknown) =>
      refuse(toFaults(cause instanceof Error ? cause : new Error(String(cause)))),
    );
  };

  const fields: FormFields<Values> = {
    values: form.values,
    field: (path) => ({ name: path, ...form.getInputProps(path) }),
    setValue: (path, value) => form.setFieldValue(path, value as never),
  };
  return { element, fields, isSending, others: refusal?.others ?? [], submit };
};

/**
 * A form that is sent to our server. What is wrong is shown beside the field, to which the focus goes, or above the
 * button where it belongs to no field.
 */
export const ApiForm = <Values extends object, Input = Values>(props: ApiFormProps<Values, Input>) => {
  const { action, isDangerous = false, onCancel, children } = props;
  const { element, fields, isSending, others, submit } = useApiForm(props);
  const isHydrated = useHydrated();
  return (
    // Without scripts, `post` keeps what is typed out of the address.
    <form ref={element} method="post" onSubmit={submit} noValidate>
      <Stack gap={16} mt={onCancel === undefined ? 20 : 0}>
        {children(fields)}
        <div role="alert">
          {others.map((message) => (
            <ProblemNote key={message}>{message}</ProblemNote>
          ))}
        </div>
        {onCancel === undefined ? (
          <Button type="submit" size="md" fullWidth loading={isSending} disabled={!isHydrated}>
            {action}
          </Button>
        ) : (
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending} {...(isDangerous && { color: DANGER })}>
              {action}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
};

interface ConfirmFormProps {
  children: ReactNode;
  action: string;
  isDangerous?: boolean;
  send: () => Promise<unknown>;
  onClose: () => void;
}

const NO_VALUES = {};

/** In a dialog: a question that is answered by one button, or by going back. */
export const ConfirmForm = ({ children, send, onClose, ...rest }: ConfirmFormProps) => (
  <ApiForm initialValues={NO_VALUES} onCancel={onClose} send={() => send().then(onClose)} {...rest}>
    {() => children}
  </ApiForm>
);
