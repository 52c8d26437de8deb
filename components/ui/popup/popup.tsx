import { useUncontrolled } from '@mantine/hooks';
import {
  Suspense,
  cloneElement,
  useId,
  useState,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
} from 'react';
import { onDemand, usePreloadAtFirstInput } from './on-demand';
import type { PopupBodyProps } from './popup-body';

const body = onDemand(() => import('./popup-body').then(({ PopupBody }) => PopupBody));

type TargetProps = HTMLAttributes<HTMLElement> & { 'data-expanded'?: boolean };

interface PopupProps extends Omit<PopupBodyProps, 'id' | 'anchor' | 'isOpen' | 'onOpenChange'> {
  /** The button that opens it; rendered at once, while the rest is loaded when it is wanted. */
  target: ReactElement<TargetProps>;
  preload?: () => void;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A button with a menu or another popup, whose code is loaded at the user's first input. */
export const Popup = ({ target, preload, isOpen, onOpenChange, children, ...others }: PopupProps) => {
  const [opened, setOpened] = useUncontrolled({ value: isOpen, finalValue: false, onChange: onOpenChange });
  const [isWanted, setWanted] = useState(opened);
  if (opened && !isWanted) setWanted(true);
  const id = useId();
  usePreloadAtFirstInput(() => {
    body.preload();
    preload?.();
  });
  const button = cloneElement(target, {
    id,
    'aria-haspopup': others.kind,
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    'data-expanded': opened || undefined,
    onClick: () => setOpened(!opened),
    onKeyDown: (event) => {
      if (!opened || event.key !== 'Escape') return;
      // The focus may still be on the button, but the key is meant for the popup.
      event.preventDefault();
      setOpened(false);
    },
  });
  return (
    <>
      {button}
      {isWanted ? (
        <Suspense>
          <body.Part {...others} id={id} anchor={id} isOpen={opened} onOpenChange={setOpened}>
            {children}
          </body.Part>
        </Suspense>
      ) : null}
    </>
  );
};
