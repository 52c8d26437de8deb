import { describe, expect, it } from 'vitest';
import { isLocalRequest, isLoopbackHost } from './demo';

describe('isLocalRequest', () => {
  it('takes a request of this machine to a name of this machine', () => {
    for (const socket of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      for (const host of ['127.0.0.1:3000', 'localhost:3000', 'LOCALHOST', '[::1]:3000', '127.0.0.1'])
        expect(isLocalRequest(socket, { host }), `${socket} ${host}`).toBe(true);
  });

  it('takes none that comes from elsewhere, whatever it says', () => {
    for (const socket of [undefined, '192.0.2.1', '::ffff:192.0.2.1', '10.0.0.1', 'fe80::1'])
      expect(isLocalRequest(socket, { host: '127.0.0.1:3000' }), socket).toBe(false);
  });

  it('takes none to another name, which may have been pointed here', () => {
    for (const host of [
      'fleet.example:3000',
      'localhost.example',
      '127.0.0.1.example',
      '192.0.2.1:3000',
      '',
      undefined,
    ])
      expect(isLocalRequest('127.0.0.1', { host }), host).toBe(false);
  });

  it('takes none that came through a proxy', () => {
    for (const header of [
      'forwarded',
      'via',
      'x-real-ip',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
    ])
      expect(isLocalRequest('127.0.0.1', { host: '127.0.0.1', [header]: '127.0.0.1' }), header).toBe(false);
  });
});

it('isLoopbackHost knows no address that others can reach', () => {
  expect(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'].every(isLoopbackHost)).toBe(true);
  expect(['0.0.0.0', '::', '127.0.0.1.example', '128.0.0.1', 'fleet', ''].some(isLoopbackHost)).toBe(false);
});
