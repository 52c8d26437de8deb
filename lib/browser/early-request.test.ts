import { describe, expect, it } from 'vitest';
import { toHeadScript } from './early-request';

describe('the script in the head of a page', () => {
  it.each(['/', '/help', '/fleets', '/fleets/x', '/fleets/123456789'])('is not there at %s', (path) => {
    expect(toHeadScript(path, false)).toBeNull();
  });

  const run = (script: string) => {
    const requests: [string, RequestInit][] = [];
    const addresses: string[] = [];
    const window: { linehaulEarly?: { url: string; screen: string; abort: (reason: unknown) => void } } = {};
    const fetch = (url: string, init: RequestInit) => {
      requests.push([url, init]);
      return Promise.reject(new Error('no network'));
    };
    const history = { replaceState: (_: unknown, __: string, url: string) => void addresses.push(url) };
    const location = { hash: '#top' };
    new Function('window', 'fetch', 'history', 'location', script)(window, fetch, history, location);
    return { requests, addresses, early: window.linehaulEarly! };
  };

  it('requests the live answer once, as a screen, and can be stopped', () => {
    const { requests, addresses, early } = run(toHeadScript('/fleets/123/roster', false)!);
    expect(requests.map(([url]) => url)).toEqual(['/api/fleets/123/live']);
    expect(requests[0]![1]).toMatchObject({
      cache: 'no-store',
      headers: { accept: 'application/json', 'x-linehaul-screen': early.screen },
    });
    expect(early.url).toBe('/api/fleets/123/live');
    early.abort('late');
    expect(requests[0]![1].signal!.reason).toBe('late');
    expect(addresses).toEqual([]);
  });

  it('writes the address of a page that is shown at another one', () => {
    const script = toHeadScript('/fleets/123?q=</script>', true)!;
    expect(script).not.toContain('<');
    expect(run(script).addresses).toEqual(['/fleets/123?q=</script>#top']);
  });
});
