'use client';

import { Button } from '@mantine/core';
import { reloadPage } from '../fleet-state/newer-build';
import { PlainPage } from '../layout/plain-page';
import { useMissingPart } from '../fleet-state/use-missing-part';

interface BrokenPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** In place of a page that failed to render. The error's message is not shown: on the server it may hold a secret. */
export const BrokenPage = ({ error, reset }: BrokenPageProps) => {
  const missing = useMissingPart(error);
  if (missing !== null) {
    return (
      <PlainPage
        head="A part of this page is missing"
        actions={
          <Button size="md" onClick={reloadPage}>
            Reload now
          </Button>
        }
      >
        <p>Linehaul was updated on its server, or the network connection failed while the page loaded.</p>
        {missing === 'awaited' ? (
          <p>The page reloads as soon as the server answers. Your view is kept.</p>
        ) : (
          <p>
            It was reloaded and is still missing. Reload in a while; if that does not help, contact the person
            who runs Linehaul.
          </p>
        )}
      </PlainPage>
    );
  }
  return (
    <PlainPage
      head="This page broke"
      actions={
        <Button size="md" onClick={reset}>
          Try again
        </Button>
      }
    >
      <p>Something went wrong that Linehaul did not foresee.</p>
      {error.digest === undefined ? null : (
        <p>
          The server’s log says what, under <b>{error.digest}</b>.
        </p>
      )}
    </PlainPage>
  );
};
