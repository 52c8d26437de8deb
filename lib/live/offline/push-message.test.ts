import { expect, it } from 'vitest';
import { toOwnPath, toPushNotification } from './push-message';

const ORIGIN = 'https://fleet.carrier.test';

it('a push message becomes a notification that leads to its alert', () => {
  const message = {
    id: 'd1',
    title: 'Lost on the road',
    body: 'Truck 116 vanished while moving',
    severity: 'critical',
    url: '/fleets/9000001/alerts?alert=7',
    tag: 'alert-7',
    silent: false,
  };
  expect(toPushNotification(JSON.stringify(message), ORIGIN)).toEqual({
    title: 'Lost on the road',
    options: {
      body: 'Truck 116 vanished while moving',
      tag: 'alert-7',
      silent: false,
      icon: '/icons/192.png',
      data: { path: '/fleets/9000001/alerts?alert=7' },
    },
  });
});

it.each(['', 'no JSON', '[]', 'null', '{"title":7,"silent":"yes"}'])(
  'a message that cannot be read still shows a notification: %s',
  (json) => {
    const { title, options } = toPushNotification(json, ORIGIN);
    expect([title, options.body, options.silent, options.data.path]).toEqual([
      'Linehaul',
      'There is a new alert.',
      false,
      '/',
    ]);
  },
);

it.each([
  ['https://evil.test/fleets/1', '/'],
  ['//evil.test/x', '/'],
  ['javascript:alert(1)', '/'],
  [`${ORIGIN}/fleets/1/alerts?alert=2`, '/fleets/1/alerts?alert=2'],
  [undefined, '/'],
])('a click opens pages of this server alone: %s', (url, path) => {
  expect(toOwnPath(url, ORIGIN)).toBe(path);
});
