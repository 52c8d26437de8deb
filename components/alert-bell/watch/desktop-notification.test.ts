import { afterEach, expect, test, vi } from 'vitest';
import { showNotification } from './desktop-notification';

afterEach(() => vi.unstubAllGlobals());

const HREF = '/fleets/9000001?unit=U1';

/** How a click on a notification shows the map while a page is open. */
const clickOn = async (pathname: string): Promise<string[]> => {
  const done: string[] = [];
  const shown: { onclick?: () => void; close: () => void } = { close: () => undefined };
  const Notification = vi.fn(function () {
    return shown;
  });
  Object.assign(Notification, { permission: 'granted' });
  vi.stubGlobal('Notification', Notification);
  vi.stubGlobal('window', {
    Notification,
    focus: () => undefined,
    location: {
      pathname,
      href: `https://linehaul.example.com${pathname}`,
      assign: (href: string) => done.push(`loads ${href}`),
    },
    history: { pushState: (_: null, __: string, href: string) => done.push(`shows ${href}`) },
  });
  await showNotification({ title: 'Critical', body: '', tag: 'alert-1', href: HREF });
  shown.onclick?.();
  return done;
};

test.each([
  ['/fleets/9000001', 'shows'],
  ['/fleets/9000001/alerts', 'shows'],
  ['/fleets/90000012', 'loads'],
  ['/users', 'loads'],
])('a click on a notification shows the map of its fleet from %s', async (pathname, how) => {
  expect(await clickOn(pathname)).toEqual([`${how} ${HREF}`]);
});
