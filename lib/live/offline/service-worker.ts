/**
 * The service worker: what a browser shows when the server cannot be reached, and the notifications of alerts by Web
 * Push. A server that answers in time always wins, and no answer of the API passes through here (decision 38).
 */
import {
  NetworkOnly,
  Serwist,
  disableNavigationPreload,
  type PrecacheEntry,
  type RouteHandlerCallback,
  type SerwistPlugin,
} from 'serwist';
import { withCaches } from '@/lib/base/stored';
import {
  MAX_COPY_AGE_MS,
  isOfBuild,
  readAgeMs,
  readFleetUsdot,
  readPageUsdot,
  toFleetPath,
  toPagePath,
} from './copies';
import { COPIES } from '@/lib/browser/owner';
import { toPushNotification } from './push-message';

/** Of the page's types, which have no service workers, these are all it needs. */
declare const self: {
  addEventListener: <Type extends keyof WorkerEvents>(
    type: Type,
    listen: (event: Event & { waitUntil: (work: Promise<unknown>) => void } & WorkerEvents[Type]) => void,
  ) => void;
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll: (options: { type: 'window' }) => Promise<OpenPage[]>;
    openWindow: (path: string) => Promise<unknown>;
  };
};
interface WorkerEvents {
  activate: unknown;
  push: { data: { text: () => string } | null };
  notificationclick: { notification: Notification };
}
interface OpenPage {
  focus: () => Promise<OpenPage>;
  navigate: (path: string) => Promise<unknown>;
}

/** Inserted by scripts/bootstrap/service-worker.mjs: the build, its files, and the data files by address. */
declare const BUILD: string;
declare const FILES: PrecacheEntry[];
declare const DATA_FILES: Record<string, string>;

/** A network may neither answer nor fail: the last known map is better than an empty page. */
const STORED_AFTER_MS = 10_000;
/** Where the browser knows of no network, only a server on this machine or behind a wire it does not know can answer. */
const OFFLINE_AFTER_MS = 2000;
/** Answered by a proxy whose server is gone: every answer of ours has a request id. */
const isOfProxy = ({ status, headers }: Response): boolean => status >= 502 && !headers.has('x-request-id');
const OFFLINE_PAGE = '/offline';

/** The stored page that shows a fleet whose copy is not too old. */
const readPage = async (cache: Cache, usdot: string, path: string): Promise<Response | undefined> => {
  const [fleet, page] = await Promise.all([cache.match(toFleetPath(usdot)), cache.match(path)]);
  if (fleet === undefined || page === undefined || !isOfBuild(page, BUILD)) return undefined;
  return readAgeMs(fleet, Date.now()) > MAX_COPY_AGE_MS ? undefined : page;
};

/** What is stored for an address: the page of its fleet, and for the start page a redirect to the last fleet. */
const readStored = async ({ pathname }: URL, cache: Cache): Promise<Response | undefined> => {
  const usdot = readPageUsdot(pathname);
  if (usdot !== null) return readPage(cache, usdot, pathname);
  if (pathname !== '/') return undefined;
  for (const { url } of [...(await cache.keys())].reverse()) {
    const last = readFleetUsdot(new URL(url).pathname);
    for (const path of last === null ? [] : [toPagePath(last, false), toPagePath(last, true)])
      if ((await readPage(cache, last!, path)) !== undefined) return Response.redirect(path);
  }
  return undefined;
};

const network = new NetworkOnly();
const wait = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

const openPage: RouteHandlerCallback = async (options) => {
  const { onLine } = navigator;
  const coming = network.handle(options).catch(() => null);
  const answer = await Promise.race([coming, wait(onLine ? STORED_AFTER_MS : OFFLINE_AFTER_MS)]);
  if (answer && !isOfProxy(answer)) return answer;
  return (
    (await withCaches(async (caches) => readStored(options.url, await caches.open(COPIES)))) ??
    (onLine ? await coming : answer) ??
    (await serwist.matchPrecache(OFFLINE_PAGE)) ??
    Response.error()
  );
};

/** The base map and the towns have the same address in every build, so the server's are always requested first. */
const readData: RouteHandlerCallback = ({ request, url }) =>
  fetch(request).catch(
    async () => (await serwist.matchPrecache(DATA_FILES[url.pathname]!)) ?? Response.error(),
  );

/** A worker's address ends with the fragment that its page has given it, and a stored answer has an address without one. */
const withoutAddress: SerwistPlugin = {
  handlerWillRespond: async ({ request, response }) =>
    request.destination === 'worker' ? new Response(response.body, response) : response,
};

/** What is no page of the application: they need the server. */
const OTHER_PAGES = /^\/(?:(?:api|tracking|t|u|d|p|[.]well-known)\/|verify$)/;

const serwist = new Serwist({
  precacheEntries: [
    ...FILES,
    ...Object.values(DATA_FILES).map((url) => ({ url, revision: null })),
    { url: OFFLINE_PAGE, revision: BUILD },
  ],
  precacheOptions: { plugins: [withoutAddress] },
  // A page of the new build must find its files: the pages of an older build reload as they did without this.
  skipWaiting: true,
  clientsClaim: true,
  requestRules: [{ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' }],
  runtimeCaching: [
    {
      matcher: ({ request, sameOrigin, url }) =>
        sameOrigin && request.mode === 'navigate' && !OTHER_PAGES.test(url.pathname),
      handler: openPage,
    },
    { matcher: ({ sameOrigin, url }) => sameOrigin && url.pathname in DATA_FILES, handler: readData },
  ],
});

// Without a server, Firefox shows its own error page for a navigation that it preloads. Older builds of ours switched it on.
disableNavigationPreload();

const forgetOtherBuilds = (): Promise<void> =>
  withCaches(async (caches) => {
    const cache = await caches.open(COPIES);
    for (const key of await cache.keys()) {
      const copy = await cache.match(key);
      if (copy !== undefined && !isOfBuild(copy, BUILD)) await cache.delete(key);
    }
  });

/** Shows a page of ours in a tab that is open, or in a new one. */
const showPage = async (path: string): Promise<void> => {
  const [open] = await self.clients.matchAll({ type: 'window' });
  // It may be a page that this worker does not control yet.
  const isShown = await open
    ?.focus()
    .then((page) => page.navigate(path))
    .then(
      () => true,
      () => false,
    );
  if (isShown !== true) await self.clients.openWindow(path);
};

self.addEventListener('push', (event) => {
  const { title, options } = toPushNotification(event.data?.text() ?? '', location.origin);
  event.waitUntil(self.registration.showNotification(title, options));
});
self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  const { path } = { path: '/', ...(notification.data as { path?: string } | null) };
  event.waitUntil(showPage(path));
});
self.addEventListener('activate', (event) => event.waitUntil(forgetOtherBuilds()));
serwist.addEventListeners();
