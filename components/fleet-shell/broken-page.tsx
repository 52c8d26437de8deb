'use client';

import { Button } from '@mantine/core';
import { reloadPage } from '../fleet-state/newer-build';
import { PlainPage } from '../layout/plain-page';
import { useMissingPart } from '../fleet-state/use-missing-part';

interface BrokenPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** In place of a page that broke. Nothing of the error is shown: on the server it may hold what is nobody's business. */
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
        <p>Linehaul was updated on its server, or the network broke off while the page was loaded.</p>
        {missing === 'awaited' ? (
          <p>It is loaded anew as soon as the server answers. What you looked at is kept.</p>
        ) : (
          <p>
            It was loaded anew and is still missing. Reload in a while; if that does not help, tell whoever
            runs Linehaul.
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
