'use client';

import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { COLOR_SCHEME_KEY, mantineTheme, toMantineVariables } from './mantine-theme';

const colorSchemes = localStorageColorSchemeManager({ key: COLOR_SCHEME_KEY });

/** What every page stands on: the theme and the cache of what our server said. */
export const Providers = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(() => new QueryClient());
  return (
    <MantineProvider
      theme={mantineTheme}
      cssVariablesResolver={toMantineVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </MantineProvider>
  );
};
