import Link from 'next/link';
import { useState, type ComponentProps } from 'react';

/** A link whose page is loaded while the pointer or the focus rests on it; with `prefetch={false}`, when it is followed. */
export const NearLink = ({ prefetch, onPointerEnter, onFocus, ...props }: ComponentProps<typeof Link>) => {
  const [isNear, setNear] = useState(false);
  return (
    <Link
      {...props}
      prefetch={prefetch !== false && isNear}
      onPointerEnter={(event) => {
        setNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(true);
        onFocus?.(event);
      }}
    />
  );
};
