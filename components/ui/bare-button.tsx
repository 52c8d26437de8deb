import type { ComponentProps } from 'react';

/** A button with no look but that of its class. Mantine's would bring 10 KB of script to the first load. */
export const BareButton = ({ className = '', ...props }: ComponentProps<'button'>) => (
  <button type="button" className={`lh-bare ${className}`} {...props} />
);
