'use client';

import { useRouter } from 'next/navigation';
import type { ComponentProps, MouseEvent } from 'react';

export interface LinkProps extends ComponentProps<'a'> {
  /** The address of a page of ours. */
  href: string;
  /** Whether the page is loaded while the pointer or the focus rests on the link; otherwise when it is followed. */
  prefetch?: boolean;
  /** Called before the page opens, which `preventDefault` keeps from it. */
  onNavigate?: (event: { preventDefault: () => void }) => void;
}

/** Whether the browser itself follows the click: to another tab or window, or into a file. */
const isOfBrowser = ({ currentTarget, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent<HTMLAnchorElement>) =>
  metaKey ||
  ctrlKey ||
  shiftKey ||
  altKey ||
  currentTarget.hasAttribute('download') ||
  !['', '_self'].includes(currentTarget.target);

/** A link to another page of ours. The Link of Next.js would be 2.3 KB of the first load. */
export const Link = ({ href, prefetch = true, onNavigate, ...props }: LinkProps) => {
  const router = useRouter();
  const load = (): void => {
    if (prefetch) router.prefetch(href);
  };
  return (
    <a
      {...props}
      href={href}
      onPointerEnter={(event) => {
        load();
        props.onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        load();
        props.onFocus?.(event);
      }}
      onClick={(event) => {
        props.onClick?.(event);
        if (event.defaultPrevented || isOfBrowser(event)) return;
        event.preventDefault();
        let isPrevented = false;
        onNavigate?.({ preventDefault: () => (isPrevented = true) });
        if (!isPrevented) router.push(href);
      }}
    />
  );
};
