import type { PushSubscriptionInput } from './schema';

/** Web Push on this browser: whether it can be had, and its subscription. */

/**
 * - `unsupported`: the browser has none; `install`: it has some once the page is on its home screen
 * - `insecure`: only pages by HTTPS have it
 * - `denied`: the user forbids notifications of this page
 */
export type PushState = 'unsupported' | 'install' | 'insecure' | 'denied' | 'off' | 'on';

const IPHONE = /\b(iPhone|iPad)\b/;

/** Registered by the pages of a fleet; also here, where none was shown yet. */
const readRegistration = async (): Promise<ServiceWorkerRegistration> => {
  await navigator.serviceWorker.register('/service-worker.js');
  return navigator.serviceWorker.ready;
};

/** The service worker of our pages; undefined where there is none, also because it is forbidden. */
export const findRegistration = async (): Promise<ServiceWorkerRegistration | undefined> => {
  try {
    return await navigator.serviceWorker?.getRegistration();
  } catch {
    // With storage, service workers are forbidden.
    return undefined;
  }
};

/** The subscription of this browser; null: it has none. */
const readSubscription = async (): Promise<PushSubscription | null> =>
  (await (await findRegistration())?.pushManager.getSubscription()) ?? null;

const toBytes = (base64url: string): Uint8Array<ArrayBuffer> => {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
};

const isOfKey = ({ options }: PushSubscription, pushKey: string): boolean => {
  const key = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const expected = toBytes(pushKey);
  return key.length === expected.length && key.every((byte, i) => byte === expected[i]);
};

/** `pushKey`: the server's public VAPID key, base64url. A subscription with another key gets nothing any more. */
export const readPushState = async (pushKey: string): Promise<PushState> => {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window))
    return IPHONE.test(navigator.userAgent) ? 'install' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await readSubscription();
  return subscription !== null && isOfKey(subscription, pushKey) ? 'on' : 'off';
};

/** Subscribes this browser, after asking the user; null: the user forbids it. */
export const subscribe = async (pushKey: string): Promise<PushSubscriptionInput | null> => {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await readRegistration();
  const held = await pushManager.getSubscription();
  if (held !== null && !isOfKey(held, pushKey)) await held.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: toBytes(pushKey) };
  const { endpoint, keys } = (await pushManager.subscribe(options)).toJSON();
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
};

/** Ends the subscription of this browser, and returns its endpoint; null: it had none. */
export const unsubscribe = async (): Promise<string | null> => {
  const subscription = await readSubscription();
  if (subscription === null) return null;
  await subscription.unsubscribe();
  return subscription.endpoint;
};
