'use client';

import {
  MantineContext,
  MantineThemeProvider,
  localStorageColorSchemeManager,
  useProviderColorScheme,
} from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { useState, type ReactNode } from 'react';
import { limitHistory } from '@/lib/browser/history-limit';
import { COLOR_SCHEME_KEY, mantineTheme } from '../ui/mantine-theme';

// Before the router, which takes the calls of the browser when it has started.
if (typeof window !== 'undefined') limitHistory();

const colorSchemes = localStorageColorSchemeManager({ key: COLOR_SCHEME_KEY });
const getRootElement = () => document.documentElement;

interface ProvidersProps {
  /** The nonce that the content security policy requires of style elements. */
  nonce: string | undefined;
  /** The theme of a browser in which none was chosen. */
  colorScheme: 'auto' | 'dark';
  children: ReactNode;
}

/** The theme and the query cache of every page. Mantine's own provider would make the variables of app/theme.css by 2 KB of script. */
export const Providers = ({ nonce = '', colorScheme: defaultColorScheme, children }: ProvidersProps) => {
  const [queries] = useState(() => {
    // Dialogs lock scrolling with a style element, whose library reads the nonce here.
    if (typeof document !== 'undefined') setNonce(nonce);
    return new QueryClient();
  });
  const colorScheme = useProviderColorScheme({
    manager: colorSchemes,
    defaultColorScheme,
    forceColorScheme: undefined,
    getRootElement,
  });
  const context = {
    ...colorScheme,
    getRootElement,
    classNamesPrefix: 'mantine',
    cssVariablesSelector: ':root',
    getStyleNonce: () => nonce,
    withStaticClasses: true,
  };
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={mantineTheme}>
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </MantineThemeProvider>
    </MantineContext>
  );
};
