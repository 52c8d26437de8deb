/** What a push message of our server shows. */
export interface PushNotification {
  title: string;
  options: { body: string; tag: string; silent: boolean; icon: string; data: { path: string } };
}

const ICON = '/icons/192.png';
/** Browsers demand a notification for each message, also for one that cannot be read. */
const UNREADABLE = { title: 'Linehaul', body: 'There is a new alert.', tag: 'alerts', silent: false };

/** The path of an address of this server; the start page for any other. */
export const toOwnPath = (url: unknown, origin: string): string => {
  if (typeof url !== 'string' || !URL.canParse(url, origin)) return '/';
  const address = new URL(url, origin);
  return address.origin === origin ? `${address.pathname}${address.search}` : '/';
};

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

const parse = (json: string): Record<string, unknown> => {
  try {
    const message: unknown = JSON.parse(json);
    return typeof message === 'object' && message !== null ? { ...message } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
};

/** The notification of a push message, which is JSON: title, body, tag, silent and url. */
export const toPushNotification = (json: string, origin: string): PushNotification => {
  const message = parse(json);
  return {
    title: textOf(message.title, UNREADABLE.title),
    options: {
      body: textOf(message.body, UNREADABLE.body),
      // A later message about the same alert takes its place.
      tag: textOf(message.tag, UNREADABLE.tag),
      silent: message.silent === true,
      icon: ICON,
      data: { path: toOwnPath(message.url, origin) },
    },
  };
};
