import { Modal } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { ShownOnce, type Secret } from './secrets';
import { ApiForm, type ApiFormProps } from '../ui/api-form';
import { DialogContent } from '../ui/dialog-content';

interface DialogProps {
  title: string;
  /** Only its own buttons close it, so that a secret that is shown once is not lost by accident. */
  isLocked?: boolean;
  /** Nothing closes it: the answer may be a secret that is shown once, or an error. */
  isSending?: boolean;
  /** It is a question or a notice, which screen readers read out when it opens. */
  isReadOut?: boolean;
  size?: 'lg' | 'xl';
  onClose: () => void;
  children: ReactNode;
}

/** The element that has the focus, and what it is in. */
const readFocused = (): HTMLElement[] => {
  const path: HTMLElement[] = [];
  for (let element = document.activeElement; element instanceof HTMLElement; element = element.parentElement)
    path.push(element);
  return path;
};

/**
 * Returns the focus to the element that had it before the dialog, unless what closed the dialog has moved it. Where that is gone, as
 * with its row, the first control of what it was in has the focus.
 */
const useReturnFocus = (): void => {
  const [path] = useState(readFocused);
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      const [opener] = path;
      const next = opener?.isConnected
        ? opener
        : path.find(({ isConnected }) => isConnected)?.querySelector<HTMLElement>('a[href], button:enabled');
      next?.focus({ preventScroll: opener === next });
    },
    [path],
  );
};

export const Dialog = ({
  title,
  isLocked = false,
  isSending = false,
  isReadOut = false,
  size = 'lg',
  onClose,
  children,
}: DialogProps) => {
  useReturnFocus();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={size}
      closeOnClickOutside={!isLocked && !isSending}
      closeOnEscape={!isLocked && !isSending}
      returnFocus={false}
      // The end of another one is a transform, within which a list that opens is cut off.
      transitionProps={{ transition: 'fade' }}
    >
      <DialogContent title={title} isReadOut={isReadOut} isClosable={!isSending}>
        {children}
      </DialogContent>
    </Modal.Root>
  );
};

interface FormDialogProps<Values, Input, Result> extends Omit<
  ApiFormProps<Values, Input>,
  'send' | 'onCancel'
> {
  title: string;
  size?: DialogProps['size'];
  send: (input: Input) => Promise<Result>;
  /** The result, which the dialog shows once; without it, the dialog closes after sending. */
  once?: { title: string } & (
    | { content: (result: Result) => ReactNode }
    | { secrets: (result: Result) => readonly Secret[]; about: (result: Result) => ReactNode }
  );
  onClose: () => void;
}

/** A dialog with a form, or with a question that its button answers. */
export const FormDialog = <Values extends object, Input = Values, Result = unknown>({
  title,
  size,
  send,
  once,
  onClose,
  ...form
}: FormDialogProps<Values, Input, Result>) => {
  const [sent, setSent] = useState<{ result: Result } | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (input: Input): Promise<void> => {
    setSending(true);
    const result = await send(input).finally(() => setSending(false));
    if (once === undefined) onClose();
    else setSent({ result });
  };
  return once !== undefined && sent !== null ? (
    <Dialog title={once.title} isLocked isReadOut onClose={onClose}>
      {'content' in once ? (
        once.content(sent.result)
      ) : (
        <ShownOnce texts={once.secrets(sent.result)} onClose={onClose}>
          {once.about(sent.result)}
        </ShownOnce>
      )}
    </Dialog>
  ) : (
    <Dialog
      title={title}
      isSending={isSending}
      isReadOut={form.initialValues === undefined}
      size={size}
      onClose={onClose}
    >
      <ApiForm {...form} onCancel={onClose} send={submit} />
    </Dialog>
  );
};
