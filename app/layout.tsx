import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { COLOR_SCHEME_KEY } from '@/components/ui/mantine-theme';
import { Providers } from '@/components/layout/providers';
import { readRequestContext } from '@/lib/http/runtime';
import './mantine.css';
import './theme.css';

export const metadata: Metadata = {
  title: { default: 'Linehaul', template: '%s · Linehaul' },
  description: 'Where every truck of a carrier is, and which one needs a call.',
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#171d26' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Rendered for each request, because each answer has its own nonce.
  await connection();
  const nonce = readRequestContext()?.nonce ?? undefined;
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" localStorageKey={COLOR_SCHEME_KEY} />
      </head>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
