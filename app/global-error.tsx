'use client';

import { useMissingPart } from '@/components/screen/use-missing-part';

/** Stands in for the whole document when the root layout itself fails: no theme, no styles of ours. */
export default function GlobalErrorPage({ reset, error }: { reset: () => void; error: Error }) {
  const isMissing = useMissingPart(error);
  return (
    <html lang="en">
      <body
        style={{ margin: '15vh auto', maxWidth: 480, padding: 16, font: '16px/1.5 system-ui, sans-serif' }}
      >
        <title>Linehaul</title>
        <h1>{isMissing ? 'A part of Linehaul is missing' : 'Linehaul broke'}</h1>
        <p>
          {isMissing
            ? 'It was updated on its server, or the network broke off. It is loaded anew as soon as the server answers.'
            : 'Something went wrong that it did not foresee. The server’s log says what.'}
        </p>
        <button type="button" onClick={isMissing ? () => window.location.reload() : reset}>
          {isMissing ? 'Reload now' : 'Try again'}
        </button>
      </body>
    </html>
  );
}
