import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SCREEN_HEADER } from '@/lib/base/http/protocol';
import { readScreen, takeEarlyResponse } from '@/lib/browser/early-request';
import { LiveReader, NOTHING_READ, toNextPollMs, type LiveReading } from './live-reader';
import { getOrMake } from '@/lib/base/maps';

const fetchAsScreen: typeof fetch = (url, init) =>
  takeEarlyResponse(String(url), init?.signal ?? null) ??
  fetch(url, { ...init, headers: { ...init?.headers, [SCREEN_HEADER]: readScreen() } });

const readers = new WeakMap<QueryClient, Map<string, LiveReader>>();

/** One reader for each fleet and query cache, however many components use it. */
const readerOf = (client: QueryClient, usdot: string): LiveReader => {
  const held = getOrMake(readers, client, () => new Map<string, LiveReader>());
  const reader =
    held.get(usdot) ??
    new LiveReader({
      usdot,
      fetch: fetchAsScreen,
      now: () => Date.now(),
      isOnline: () => navigator.onLine,
      // Most pages need none.
      readCopy: () =>
        import('./offline/storage').then(
          ({ readFleetCopy }) => readFleetCopy(usdot),
          () => null,
        ),
    });
  held.set(usdot, reader);
  return reader;
};

// The first render is on the server, where `document` is undefined.
const isHidden = (): boolean => typeof document !== 'undefined' && document.visibilityState === 'hidden';

/** Coming back to the tab polls at once, but not again when tabs are switched to and fro. */
const FRESH_ENOUGH_MS = 2000;

export const liveKey = (usdot: string) => ['fleets', usdot, 'live'];

const liveFleetOptions = (client: QueryClient, usdot: string, isPolled = true) =>
  queryOptions({
    queryKey: liveKey(usdot),
    queryFn: ({ signal }) => readerOf(client, usdot).read(signal),
    enabled: isPolled,
    // A fleet is megabytes of numbers: a structural comparison costs more than rendering the newer one.
    structuralSharing: false,
    retry: false,
    staleTime: FRESH_ENOUGH_MS,
    refetchInterval: ({ state }) => toNextPollMs(state.data ?? NOTHING_READ, isHidden()),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: true,
    refetchOnReconnect: 'always',
    // A server on this machine is reachable without any network.
    networkMode: 'always',
  });

const CHECK_EVERY_MS = 1000;
/** A tick that is late by this much: the computer slept, or its clock was set forward. */
const ASLEEP_MS = 15_000;

/** Polls at once after sleep, or a clock that was set: timers do not count them, and a request may never end. */
const usePollOnWaking = (client: QueryClient, usdot: string): void => {
  useEffect(() => {
    let checkedAtMs = Date.now();
    const check = (): void => {
      const passedMs = Date.now() - checkedAtMs;
      checkedAtMs += passedMs;
      if (isHidden() || (passedMs >= 0 && passedMs < ASLEEP_MS)) return;
      void client.refetchQueries({ queryKey: liveKey(usdot) });
    };
    const timer = setInterval(check, CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [client, usdot]);
};

/** The live fleet, polled while `isPolled`. Never throws: failures are in `failure` (ours) and `fleet.feed` (the provider). */
export const useLiveFleet = (usdot: string, isPolled: boolean): LiveReading => {
  const client = useQueryClient();
  usePollOnWaking(client, usdot);
  useEffect(() => {
    if (isPolled) return;
    // Polling that begins again polls at once, because the screen waits for that: also a moment after the last poll.
    return () => void client.invalidateQueries({ queryKey: liveKey(usdot), refetchType: 'none' });
  }, [client, usdot, isPolled]);
  return useQuery(liveFleetOptions(client, usdot, isPolled)).data ?? NOTHING_READ;
};

/** Polls at once, without waiting for the next poll. */
export const useRefreshLiveFleet = (usdot: string): (() => void) => {
  const client = useQueryClient();
  return () => void client.refetchQueries({ queryKey: liveKey(usdot) });
};
