'use client';

import { useMissingPart } from '@/components/screen/use-missing-part';

interface GlobalErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Stands in for the whole document when the root layout itself fails: no theme, no styles of ours. */
export default function GlobalErrorPage({ error, reset }: GlobalErrorPageProps) {
  const isMissing = useMissingPart(error);
  return (
    <html lang="en" style={{ colorScheme: 'light dark' }}>
      <body
        style={{ margin: '15vh auto', maxWidth: 480, padding: 16, font: '16px/1.5 system-ui, sans-serif' }}
      >
        <title>Linehaul</title>
        <h1>{isMissing ? 'A part of Linehaul is missing' : 'Linehaul broke'}</h1>
        <p>
          {isMissing
            ? 'It was updated on its server, or the network broke off. It is loaded anew as soon as the server answers.'
            : 'Something went wrong that it did not foresee.'}
        </p>
        {error.digest === undefined ? null : <p>The server’s log says what, under {error.digest}.</p>}
        <button
          type="button"
          style={{ minHeight: 44, marginTop: 12, padding: '0 20px', font: 'inherit' }}
          onClick={isMissing ? () => window.location.reload() : reset}
        >
          {isMissing ? 'Reload now' : 'Try again'}
        </button>
      </body>
    </html>
  );
}
