import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useState } from 'react';

/** A text with suggestions, which are found elsewhere; leaving the field takes the first one. */
export const SuggestField = ({ data = [], onBlur, ...props }: AutocompleteProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Autocomplete
      autoComplete="off"
      data={data}
      filter={({ options }) => options}
      selectFirstOptionOnChange
      autoSelectOnBlur
      withScrollArea={false}
      // An open list without options would take the Escape that closes the dialog.
      dropdownOpened={isOpen && data.length > 0}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onBlur={(event) => {
        setOpen(false);
        onBlur?.(event);
      }}
      {...props}
    />
  );
};
