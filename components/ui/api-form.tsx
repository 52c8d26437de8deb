import { Button, Group, Stack } from '@mantine/core';
import { useForm, type GetInputPropsReturnType } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { ZodType } from 'zod';
import { ProblemNote } from './problem-note';
import { ServerProblemError } from '@/lib/browser/fetch-json';

/** A form that was not sent, because it asks something first; no fault of what was filled in. */
export class FormHeldError extends Error {}

interface Fault {
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

/** The part of a form that its fields use. */
export interface FormFields<Values = unknown> {
  /** The current values; on a page (without `onCancel`) the initial values. */
  values: Values;
  /** The props of an input, by the name of the field in the schema. */
  field: (path: string) => GetInputPropsReturnType & { name: string; 'aria-invalid': true | undefined };
}

export interface ApiFormProps<Values, Input> {
  /** None for a question. */
  initialValues?: Values;
  /** The body of the request; the values themselves if omitted. */
  toInput?: (values: Values) => Input;
  /** Validates the body before it is sent, with the same messages as the server. */
  schema?: ZodType;
  /** The form stays disabled after it resolves. */
  send: (input: Input) => Promise<void>;
  action: string | ((values: Values) => string);
  isDangerous?: boolean;
  onCancel?: () => void;
  /** A text is a paragraph of its own. */
  children: ReactNode | ((form: FormFields<Values>) => ReactNode);
}

/** Readable in both themes with white text (5.6:1), unlike Mantine's default red. */
const DANGER = 'red.9';

const toPathOf = (element: Element): string => element.getAttribute('data-path') ?? '';

/** Validates and sends the values, and assigns errors to the fields. */
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
      refuse(
        cause instanceof FormHeldError
          ? []
          : toFaults(cause instanceof Error ? cause : new Error(String(cause))),
      ),
    );
  };

  const fields: FormFields<Values> = {
    values: form.values,
    field: (path) => {
      const props = form.getInputProps(path);
      // Mantine's PasswordInput does not set it.
      return { name: path, ...props, 'aria-invalid': props.error ? true : undefined };
    },
  };
  return { element, fields, isSending, others: refusal?.others ?? [], submit };
};

/** A form for a request to our server; an error is shown at its field, which gets the focus, or above the button. */
export const ApiForm = <Values extends object, Input = Values>(props: ApiFormProps<Values, Input>) => {
  const { action, isDangerous = false, onCancel, children } = props;
  const { element, fields, isSending, others, submit } = useApiForm(props);
  const label = typeof action === 'string' ? action : action(fields.values);
  // Before hydration, the browser would submit the form itself.
  const isHydrated = useMounted();
  return (
    // Without scripts, `post` keeps what is typed out of the address.
    <form ref={element} method="post" onSubmit={submit} noValidate>
      <Stack gap={16} mt={onCancel === undefined ? 20 : 0}>
        {typeof children === 'string' ? (
          <p>{children}</p>
        ) : typeof children === 'function' ? (
          children(fields)
        ) : (
          children
        )}
        <div role="alert">
          {others.map((message) => (
            <ProblemNote key={message}>{message}</ProblemNote>
          ))}
        </div>
        {onCancel === undefined ? (
          <Button type="submit" size="md" fullWidth loading={isSending} disabled={!isHydrated}>
            {label}
          </Button>
        ) : (
          <Group justify="flex-end" gap={8}>
            <Button variant="default" disabled={isSending} onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending} {...(isDangerous && { color: DANGER })}>
              {label}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
};
