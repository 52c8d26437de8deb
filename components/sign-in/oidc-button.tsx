'use client';

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ProblemNote } from '@/components/ui/problem-note';
import { startOidc } from '@/lib/auth/queries';

/** To the single sign-on of the company. */
export const OidcButton = ({ nextPath }: { nextPath: string }) => {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => startOidc(nextPath),
    onSuccess: (url) => window.location.assign(url),
  });
  return (
    <>
      <Button
        variant="default"
        size="md"
        px={12}
        fullWidth
        mt={12}
        loading={isPending || isSuccess}
        onClick={() => mutate()}
      >
        Sign in with your company account
      </Button>
      <div role="alert">{error === null ? null : <ProblemNote>{error.message}</ProblemNote>}</div>
    </>
  );
};
