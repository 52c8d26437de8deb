'use client';

import { Button } from '@mantine/core';
import { PlainPage } from '@/components/screen/plain-page';

/** Nothing of the error is shown: on the server it may hold what is nobody's business. */
export default function ErrorPage({
  reset,
  error,
}: {
  reset: () => void;
  error: Error & { digest?: string };
}) {
  return (
    <PlainPage
      head="This page broke"
      actions={
        <Button size="md" onClick={reset}>
          Try again
        </Button>
      }
    >
      <p>Something went wrong that Linehaul did not foresee. The server’s log says what.</p>
      {error.digest === undefined ? null : (
        <p>
          It is noted there as <b>{error.digest}</b>.
        </p>
      )}
    </PlainPage>
  );
}
