import { Suspense, createContext, use, useState, type ReactNode } from 'react';

/** A dialog, given what closes it. */
export type PageDialog = (onClose: () => void) => ReactNode;

const OpenDialog = createContext<(dialog: PageDialog) => void>(() => {
  throw new Error('Dialogs of rows open on a page.');
});

/** Opens a dialog of the page: it stays open when the row that opened it is gone, or drawn in another way. */
export const useOpenDialog = () => use(OpenDialog);

export const PageDialogs = ({ children }: { children: ReactNode }) => {
  const [dialog, setDialog] = useState<PageDialog | null>(null);
  const [open] = useState(() => (next: PageDialog) => setDialog(() => next));
  return (
    <OpenDialog value={open}>
      {children}
      <Suspense>{dialog?.(() => setDialog(null))}</Suspense>
    </OpenDialog>
  );
};
