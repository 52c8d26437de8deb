import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { listPhoneOrigins } from './phone-origins';

const at = (address: string, internal = false, family = 'IPv4') =>
  ({ address, internal, family }) as NetworkInterfaceInfo;
const INTERFACES = {
  lo: [at('127.0.0.1', true)],
  eth0: [at('192.168.1.20'), at('fe80::1', false, 'IPv6')],
  wlan0: [at('10.0.0.7')],
};

it.each([
  [null, '127.0.0.1', []],
  ['http://localhost:3000', '::1', []],
  [null, '0.0.0.0', ['http://192.168.1.20:3000', 'http://10.0.0.7:3000']],
  [null, 'yard.example', ['http://yard.example:3000']],
  ['https://fleet.example/', '127.0.0.1', ['https://fleet.example']],
])('with PUBLIC_URL %s and HOSTNAME %s phones reach %s', (publicUrl, hostname, origins) => {
  expect(listPhoneOrigins({ publicUrl, hostname, port: 3000 }, INTERFACES)).toEqual(origins);
});
