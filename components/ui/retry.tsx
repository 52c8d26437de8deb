'use client';

import { Button } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';

const RETRY_MS = 5000;

/** Asks the server for the page again, by itself and when pressed. */
export const Retry = () => {
  const router = useRouter();
  const [isAsking, startAsking] = useTransition();
  const ask = () => startAsking(() => router.refresh());

  useEffect(() => {
    const timer = setInterval(() => router.refresh(), RETRY_MS);
    return () => clearInterval(timer);
  }, [router]);

  return (
    <>
      <Button size="md" loading={isAsking} onClick={ask}>
        Try now
      </Button>
      <span style={{ color: 'var(--lh-dim)' }}>Linehaul keeps trying by itself.</span>
    </>
  );
};
