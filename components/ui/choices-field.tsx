import { MultiSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';

export interface Choice {
  value: string;
  label: string;
}

export interface ChoicesFieldProps {
  label: string;
  placeholder: string;
  value: string[];
  onChange: (value: string[]) => void;
  /** The first choices that a text finds; of an empty text, the first of all. */
  search: (text: string) => readonly Choice[];
  /** The label of what is chosen, which need not be among those found. */
  labelOf: (value: string) => string;
  labelProps?: { className: string };
  error?: ReactNode;
  name?: string;
  'data-path'?: string;
  'aria-invalid'?: true;
}

/** Several choices of many, found by typing: of sites, units or makes. Its props are those of `field(path)`. */
export const ChoicesField = ({ placeholder, search, labelOf, value, ...props }: ChoicesFieldProps) => {
  const [typed, setTyped] = useState('');
  const chosen = value.map((each) => ({ value: each, label: labelOf(each) }));
  const found = search(typed).filter((choice) => !value.includes(choice.value));
  return (
    <MultiSelect
      {...props}
      value={value}
      placeholder={value.length === 0 ? placeholder : undefined}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...chosen, ...found]}
      // The search has chosen what is shown.
      filter={({ options }) => options}
      hidePickedOptions
      withScrollArea={false}
      nothingFoundMessage="Nothing matches."
      styles={{ dropdown: { maxHeight: 260, overflowY: 'auto' } }}
    />
  );
};
