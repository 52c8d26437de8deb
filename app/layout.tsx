import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { COLOR_SCHEME_KEY } from '@/components/ui/mantine-theme';
import { toHeadScript } from '@/lib/browser/early-request';
import { Providers } from '@/components/layout/providers';
import { UNKNOWN_CONTEXT, readRequestContext } from '@/server/runtime';
import './styles';

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

/** Every page is rendered for each request, because each answer has its own nonce. */
export const dynamic = 'force-dynamic';

export default function RootLayout({ children }: { children: ReactNode }) {
  const { nonce: ownNonce, target, shownAddress } = readRequestContext() ?? UNKNOWN_CONTEXT;
  const nonce = ownNonce ?? undefined;
  const { pathname } = new URL(target, 'http://localhost');
  const headScript = toHeadScript(shownAddress ?? pathname, shownAddress !== null);
  // Across a room, and all day, a dark picture is easier on eyes and on the screen.
  const colorScheme = pathname.startsWith('/screen/') ? 'dark' : 'auto';
  return (
    <html lang="en" {...mantineHtmlProps} data-respect-reduced-motion>
      <head>
        {headScript === null ? null : (
          // Browsers hide the nonce from scripts, so hydration finds none.
          <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: headScript }} />
        )}
        <ColorSchemeScript
          nonce={nonce}
          defaultColorScheme={colorScheme}
          localStorageKey={COLOR_SCHEME_KEY}
        />
      </head>
      <body>
        <Providers nonce={nonce} colorScheme={colorScheme}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
