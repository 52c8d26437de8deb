import type { IconPlus } from '@tabler/icons-react';
import type { ComponentProps } from 'react';

interface MapButtonProps extends ComponentProps<'button'> {
  label: string;
  Icon: typeof IconPlus;
}

export const MapButton = ({ label, Icon, ...props }: MapButtonProps) => (
  <button type="button" title={label} aria-label={label} {...props}>
    <Icon size={18} stroke={1.8} aria-hidden />
  </button>
);
