'use client';

import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { COLOR_SCHEME_KEY, mantineTheme, toMantineVariables } from '../ui/mantine-theme';

const colorSchemes = localStorageColorSchemeManager({ key: COLOR_SCHEME_KEY });

interface ProvidersProps {
  /** The nonce that the content security policy requires of style elements. */
  nonce: string | undefined;
  children: ReactNode;
}

/** The theme and the query cache of every page. */
export const Providers = ({ nonce = '', children }: ProvidersProps) => {
  const [queries] = useState(() => {
    // Dialogs lock scrolling with a style element, whose library reads the nonce here.
    if (typeof document !== 'undefined') setNonce(nonce);
    return new QueryClient();
  });
  return (
    <MantineProvider
      theme={mantineTheme}
      cssVariablesResolver={toMantineVariables}
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => nonce}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </MantineProvider>
  );
};
