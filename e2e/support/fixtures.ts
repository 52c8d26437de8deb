import { test as base } from '@playwright/test';
import { readTarget } from './target';
import type { Target } from './target';

/** What the tracking API itself says, with the target's own key. */
export interface TrackingApi {
  /** GET a path such as `/api/units/9000001`. @throws Error when the answer is not a success */
  read<T>(path: string): Promise<T>;
}

const createTrackingApi = ({ trackingUrl, apiKey, providerToken }: Target): TrackingApi => ({
  async read<T>(path: string) {
    const headers = { 'x-api-key': apiKey, 'provider-token': providerToken };
    const response = await fetch(`${trackingUrl}${path}`, { headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status} when expected a success.`);
    return (await response.json()) as T;
  },
});

/** Playwright's test, with the target that its project runs against and that target's tracking API. */
export const test = base.extend<{ target: Target; api: TrackingApi }>({
  target: async ({}, provide, { project }) => provide(readTarget(project.name)),
  api: async ({ target }, provide) => provide(createTrackingApi(target)),
});
export { expect } from '@playwright/test';
