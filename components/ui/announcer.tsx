'use client';

import { createContext, useCallback, useContext, useState } from 'react';
import type { ReactNode } from 'react';
import { VisuallyHidden } from '@mantine/core';

const AnnounceContext = createContext<(words: string) => void>(() => undefined);

/**
 * The one live region: it says what a user's action brought about and when the connection changes, and
 * never what a poll brings.
 */
export const Announcer = ({ children }: { children: ReactNode }) => {
  const [said, setSaid] = useState({ words: '', turn: 0 });
  const announce = useCallback((words: string) => setSaid(({ turn }) => ({ words, turn: turn + 1 })), []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <VisuallyHidden role="status" aria-live="polite">
        {/* The same words twice are said twice. */}
        <span key={said.turn}>{said.words}</span>
      </VisuallyHidden>
    </AnnounceContext>
  );
};

/** Says something to those who listen instead of looking. */
export const useAnnounce = () => useContext(AnnounceContext);
