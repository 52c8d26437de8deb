'use client';

import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { request } from '@/lib/browser/fetch-json';
import { findStoredMap } from '@/lib/live/offline/storage';
import { PlainPage } from './plain-page';

const LOOK_EVERY_MS = 3000;

const reload = (): void => window.location.reload();

/** Reloads once the server answers. */
const useReloadWhenServed = (): void => {
  useEffect(() => {
    const look = (): void => {
      request('/api/health/live').then(reload, () => {
        // Still no answer: the next look comes.
      });
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, []);
};

export const OfflinePage = () => {
  const [map, setMap] = useState<string | null>(null);
  useReloadWhenServed();
  useEffect(() => {
    void findStoredMap(window.location.pathname).then(setMap);
  }, []);
  return (
    <PlainPage
      head="Linehaul cannot be reached"
      actions={
        <>
          <Button size="md" onClick={reload}>
            Try now
          </Button>
          {map === null ? null : (
            <Button size="md" variant="default" component="a" href={map}>
              Open the last known map
            </Button>
          )}
        </>
      }
    >
      <p>This page needs a connection to the Linehaul server. It opens by itself as soon as there is one.</p>
    </PlainPage>
  );
};
