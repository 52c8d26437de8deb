'use client';

import { useMissingPart } from '@/components/fleet-state/reload';

interface GlobalErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/**
 * The browser's own colors, light or dark as the system is: some of our styles may remain without their
 * theme.
 */
const SYSTEM_COLORS = { background: 'Canvas', color: 'CanvasText' };

const MISSING_TEXT = {
  awaited:
    'It was updated on its server, or the network connection failed. It reloads as soon as the server answers.',
  givenUp:
    'It was reloaded and is still missing. Reload in a while; if that does not help, contact the person who runs the server.',
};

/** Replaces the whole document when the root layout fails, without theme or styles. */
export default function GlobalErrorPage({ error, reset }: GlobalErrorPageProps) {
  const missing = useMissingPart(error);
  return (
    <html lang="en" style={{ colorScheme: 'light dark', ...SYSTEM_COLORS }}>
      <body
        style={{
          ...SYSTEM_COLORS,
          boxSizing: 'border-box',
          margin: '15vh auto',
          maxWidth: 480,
          height: 'auto',
          minHeight: 0,
          padding: 24,
          font: '16px/1.5 system-ui, sans-serif',
        }}
      >
        <title>Linehaul</title>
        <h1 style={{ margin: '0 0 8px', fontSize: 24, lineHeight: '32px' }}>
          {missing === null ? 'Linehaul broke' : 'A part of Linehaul is missing'}
        </h1>
        <p>{missing === null ? 'An unexpected error stopped it.' : MISSING_TEXT[missing]}</p>
        {error.digest === undefined ? null : <p>The server’s log has the details under {error.digest}.</p>}
        <button
          type="button"
          style={{ minHeight: 44, marginTop: 16, padding: '0 20px', font: 'inherit' }}
          onClick={missing === null ? reset : () => window.location.reload()}
        >
          {missing === null ? 'Try again' : 'Reload now'}
        </button>
      </body>
    </html>
  );
}
