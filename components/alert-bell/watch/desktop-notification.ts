import { findRegistration } from '@/lib/alerts/push-browser';
import { openMap } from '../../fleet-state/map-link';

interface DesktopNotification {
  title: string;
  body: string;
  /** A notification replaces the one of the same tag, also one by Web Push. */
  tag: string;
  href: string;
}

/** Shows the map at `href`. The page of the notification may have been left for another fleet, or for a page without one. */
const showMap = (href: string): void => {
  const { pathname } = new URL(href, window.location.href);
  if (`${window.location.pathname}/`.startsWith(`${pathname}/`)) openMap(href);
  else window.location.assign(href);
};

/** Shows a notification of the system. False where the user does not allow it, or the browser has none. */
export const showNotification = async ({ title, body, tag, href }: DesktopNotification): Promise<boolean> => {
  if (!('Notification' in window) || Notification.permission !== 'granted') return false;
  // The sound is our own.
  const options: NotificationOptions = {
    body,
    tag,
    icon: '/icons/192.png',
    silent: true,
    data: { path: href },
  };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      showMap(href);
      shown.close();
    };
    return true;
  } catch (error) {
    // Browsers of phones have them by a service worker alone.
    if (!(error instanceof TypeError)) throw error;
    const registration = await findRegistration();
    await registration?.showNotification(title, options);
    return registration !== undefined;
  }
};
