'use client';

import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { COLOR_SCHEME_KEY, mantineTheme, toMantineVariables } from '../ui/mantine-theme';

const colorSchemes = localStorageColorSchemeManager({ key: COLOR_SCHEME_KEY });

interface ProvidersProps {
  /** What the pages' policy asks of every style element that scripts put in. */
  nonce: string | undefined;
  children: ReactNode;
}

/** What every page stands on: the theme and the cache of what our server said. */
export const Providers = ({ nonce = '', children }: ProvidersProps) => {
  const [queries] = useState(() => {
    // Dialogs hold the page still by a style element of a library that asks here.
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
