'use client';

/** Stands in for the whole document when the root layout itself fails: no theme, no styles of ours. */
export default function GlobalErrorPage({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body
        style={{ margin: '15vh auto', maxWidth: 480, padding: 16, font: '16px/1.5 system-ui, sans-serif' }}
      >
        <title>Linehaul</title>
        <h1>Linehaul broke</h1>
        <p>Something went wrong that it did not foresee. The server’s log says what.</p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </body>
    </html>
  );
}
