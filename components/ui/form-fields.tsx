'use client';

import { NativeSelect, TextInput, Textarea } from '@mantine/core';
import type { NativeSelectProps, TextInputProps, TextareaProps } from '@mantine/core';
import { createContext, useContext, useEffect } from 'react';
import { faultWords } from './field-faults';
import type { Fault } from './field-faults';

/** What a form knows of its fields. */
export interface FormFaults {
  faults: readonly Fault[];
  /** Tells that a field shows what is wrong with it; gives what ends that. */
  show: (name: string) => () => void;
}

const NO_FORM: FormFaults = { faults: [], show: () => () => undefined };
export const FormFaultsContext = createContext(NO_FORM);

/** What the server found wrong with a field of the form, which is then told beside it and nowhere else. */
export const useFault = (name: string): string | null => {
  const { faults, show } = useContext(FormFaultsContext);
  useEffect(() => show(name), [show, name]);
  return faultWords(faults, name);
};

/** How a field is sent, and by which name the server speaks of it where that is another. */
interface FieldNames {
  name: string;
  toldAs?: string;
}

export const TextField = ({ toldAs, ...props }: TextInputProps & FieldNames) => (
  <TextInput error={useFault(toldAs ?? props.name)} {...props} />
);

export const LongTextField = ({ toldAs, ...props }: TextareaProps & FieldNames) => (
  <Textarea error={useFault(toldAs ?? props.name)} {...props} />
);

export const SelectField = ({ toldAs, ...props }: NativeSelectProps & FieldNames) => (
  <NativeSelect error={useFault(toldAs ?? props.name)} {...props} />
);
