import { Menu, Popover, usePopoverContext, type MenuProps, type PopoverProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useLayoutEffect, type ReactNode } from 'react';

export interface PopupBodyProps {
  kind: 'menu' | 'dialog';
  /** The id of the button that it belongs to. */
  id: string;
  /** The element beside which it opens, or that one's id. */
  anchor: HTMLElement | string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  width: number;
  position?: MenuProps['position'];
  className?: string;
  /** For a menu only. */
  closeOnItemClick?: boolean;
  menuItemTabIndex?: MenuProps['menuItemTabIndex'];
  clickOutsideEvents?: MenuProps['clickOutsideEvents'];
  children: ReactNode;
}

/** A dialog is no part of a form: it neither traps the focus nor leaves its landmark. */
const DIALOG_PROPS = {
  withinPortal: false,
  floatingStrategy: 'fixed',
  shadow: 'md',
  withArrow: false,
  trapFocus: false,
  returnFocus: true,
  middlewares: { flip: true, shift: true, size: { padding: 8 } },
} satisfies Partial<PopoverProps>;

/** Puts a dropdown into the browser's top layer, where no part of the page covers it or cuts it off. */
const TOP_LAYER = {
  popover: 'manual',
  ref: (dropdown: HTMLDivElement | null): void => {
    dropdown?.showPopover?.();
    // Until here it was hidden, and what is hidden takes no focus.
    dropdown?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  },
} as const;

/** The menu or dialog that a popup's button opens. The button stays outside, because it is there before this code. */
export const PopupBody = (props: PopupBodyProps) => {
  const { kind, anchor, isOpen, onOpenChange, className, children, ...others } = props;
  // The focus returns to what had it when the popup changed from closed to open.
  const opened = useMounted() && isOpen;
  if (kind === 'menu')
    return (
      <Menu {...others} opened={opened} onChange={onOpenChange}>
        <Anchor element={anchor} />
        <Menu.Dropdown className={className} {...TOP_LAYER}>
          {children}
        </Menu.Dropdown>
      </Menu>
    );
  const { id, width, position } = others;
  return (
    <Popover
      {...DIALOG_PROPS}
      id={id}
      width={width}
      position={position}
      opened={opened}
      onChange={onOpenChange}
    >
      <Anchor element={anchor} />
      <Popover.Dropdown className={className} {...TOP_LAYER}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
};

const Anchor = ({ element }: { element: HTMLElement | string }) => {
  const { reference } = usePopoverContext();
  useLayoutEffect(
    () => reference(typeof element === 'string' ? document.getElementById(element)! : element),
    [reference, element],
  );
  return null;
};
