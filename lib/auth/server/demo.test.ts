import { describe, expect, it } from 'vitest';
import { isLocalRequest } from './demo';
import { isLoopbackHost } from '@/lib/base/http/same-origin';

const isLocal = (
  socketAddress: string | undefined,
  headers: Record<string, string | undefined>,
  httpVersion = '1.1',
) => isLocalRequest({ socketAddress, httpVersion, headers });

describe('isLocalRequest', () => {
  it('accepts a request from this machine to a name of this machine', () => {
    for (const socket of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      for (const host of ['127.0.0.1:3000', 'localhost:3000', 'LOCALHOST', '[::1]:3000', '127.0.0.1'])
        expect(isLocal(socket, { host }), `${socket} ${host}`).toBe(true);
  });

  it('refuses a request from another machine, whatever its headers', () => {
    for (const socket of [undefined, '192.0.2.1', '::ffff:192.0.2.1', '10.0.0.1', 'fe80::1'])
      expect(isLocal(socket, { host: '127.0.0.1:3000' }), socket).toBe(false);
  });

  it('refuses another host name, which DNS rebinding may point here', () => {
    for (const host of [
      'fleet.example:3000',
      'localhost.example',
      '127.0.0.1.example',
      '192.0.2.1:3000',
      '',
      undefined,
    ])
      expect(isLocal('127.0.0.1', { host }), host).toBe(false);
  });

  it('refuses HTTP/1.0, which nginx uses to its upstream by default', () => {
    for (const version of ['1.0', '0.9'])
      expect(isLocal('127.0.0.1', { host: '127.0.0.1:3000' }, version), version).toBe(false);
  });

  it.each([
    'Forwarded Via CDN-Loop Client-IP Front-End-Https',
    'X-Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Port X-Forwarded-Proto X-Forwarded-Server X-Forwarded-Ssl',
    'X-Real-IP X-Client-IP X-Cluster-Client-IP X-Original-Forwarded-For X-Original-Host X-ProxyUser-Ip X-Remote-Addr',
    'X-Scheme X-Request-Start X-Rewrite-URL X-Original-URL X-Host X-Varnish Proxy-Client-IP WL-Proxy-Client-IP',
    'CF-Connecting-IP CF-Connecting-IPv6 CF-Ray CF-IPCountry CF-Visitor CF-EW-Via True-Client-IP Fastly-Client-IP Fastly-SSL',
    'Fly-Client-IP Fly-Forwarded-Proto Akamai-Origin-Hop X-Akamai-Edgescape CloudFront-Viewer-Address CloudFront-Forwarded-Proto',
    'X-Azure-ClientIP X-Azure-FDID X-Azure-Ref X-FD-HealthProbe X-ARR-LOG-ID X-MS-Proxy-Id X-Amz-Cf-Id X-Amzn-Trace-Id',
    'X-AppEngine-User-IP X-Cloud-Trace-Context X-Google-Real-IP X-Envoy-External-Address X-Vercel-Forwarded-For X-NF-Client-Connection-IP',
    'DO-Connecting-IP Tailscale-User-Login X-Sucuri-ClientIP Incap-Client-IP',
  ])('refuses a request that a proxy, a CDN or a tunnel has marked: %s', (names) => {
    for (const name of names.toLowerCase().split(' '))
      expect(isLocal('127.0.0.1', { host: '127.0.0.1', [name]: '127.0.0.1' }), name).toBe(false);
  });

  it('does not treat a browser’s header as a mark of a proxy', () => {
    const names =
      'accept accept-encoding accept-language cache-control connection content-length content-type cookie dnt if-none-match origin priority purpose range referer rsc next-router-state-tree sec-ch-ua sec-fetch-site sec-gpc te upgrade-insecure-requests user-agent x-request-id x-requested-with x-screen';
    for (const name of names.split(' '))
      expect(isLocal('127.0.0.1', { host: '127.0.0.1', [name]: 'x' }), name).toBe(true);
  });
});

it('isLoopbackHost refuses addresses that other machines can reach', () => {
  expect(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'].every(isLoopbackHost)).toBe(true);
  expect(['0.0.0.0', '::', '127.0.0.1.example', '128.0.0.1', 'fleet', ''].some(isLoopbackHost)).toBe(false);
});
