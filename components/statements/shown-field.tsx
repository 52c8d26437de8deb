import { Checkbox } from '@mantine/core';
import type { FormFields } from '@/components/ui/api-form';

/** Whether the number of a document alone shows it: off until its maker wants that, by this or by a link. */
export const ShownField = ({ field }: Pick<FormFields, 'field'>) => {
  const { value, onChange, ...rest } = field('isShownByNumber');
  return (
    <Checkbox
      label="Anyone who has its number can open it"
      description="Without it they need the PDF, or an account. You can change it later."
      {...rest}
      checked={Boolean(value)}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
};
