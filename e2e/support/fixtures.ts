import { test as base } from '@playwright/test';
import { toBrowserCookie } from './session';
import { startTarget } from './target';
import type { Target } from './target';

/** Reads the tracking API itself with the target's own key. */
export interface TrackingApi {
  /** GET a path such as `/api/units/9000001`. @throws Error when the answer is not a success */
  read<T>(path: string): Promise<T>;
}

/** Time for a start on a busy machine. */
const START_TIMEOUT_MS = 120_000;

const createTrackingApi = ({ trackingUrl, apiKey, providerToken }: Target): TrackingApi => ({
  async read<T>(path: string) {
    const headers = { 'x-api-key': apiKey, 'provider-token': providerToken };
    const response = await fetch(`${trackingUrl}${path}`, { headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status} when expected a success.`);
    return (await response.json()) as T;
  },
});

/** Playwright's test, with the target of its project, which each worker starts once, and that target's tracking API. */
export const test = base.extend<{ api: TrackingApi }, { target: Target }>({
  target: [
    async ({}, provide, { project, workerIndex }) => {
      const target = await startTarget(project.name, project.outputDir, `${project.name}-${workerIndex}`);
      await provide(target);
      await target.stop();
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],
  baseURL: ({ target }, provide) => provide(target.application.url),
  storageState: ({ target: { application } }, provide) => {
    const { url, cookie } = application;
    return provide({ cookies: cookie === '' ? [] : [toBrowserCookie(url, cookie)], origins: [] });
  },
  api: ({ target }, provide) => provide(createTrackingApi(target)),
});
export { expect } from '@playwright/test';
