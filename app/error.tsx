'use client';

import { useMissingPart } from '@/components/fleet-state/reload';
import { PlainButton, PlainPage } from '@/components/layout/plain-page';

/** In place of a page that failed to render. The error's message is not shown: on the server it may hold a secret. */
const BrokenPage = ({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) => {
  const missing = useMissingPart(error);
  const isMissing = missing !== null;
  return (
    <PlainPage
      head={isMissing ? 'A part of this page is missing' : 'This page broke'}
      actions={
        <PlainButton onClick={isMissing ? () => window.location.reload() : reset}>
          {isMissing ? 'Reload now' : 'Try again'}
        </PlainButton>
      }
    >
      {isMissing ? (
        <>
          <p>Linehaul was updated on its server, or the network connection failed while the page loaded.</p>
          <p>
            {missing === 'awaited'
              ? 'The page reloads as soon as the server answers. Your view is kept.'
              : 'It was reloaded and is still missing. Reload in a while; if that does not help, contact the person who runs Linehaul.'}
          </p>
        </>
      ) : (
        <>
          <p>An unexpected error stopped this page.</p>
          {error.digest === undefined ? null : (
            <p>
              The server’s log has the details under <b>{error.digest}</b>.
            </p>
          )}
        </>
      )}
    </PlainPage>
  );
};

export default BrokenPage;
