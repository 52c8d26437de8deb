import { describe, expect, it } from 'vitest';
import { toHeadScript } from './early-request';

describe('the script in the head of a page', () => {
  it.each(['/', '/help', '/fleets', '/fleets/x', '/fleets/123456789'])('is not there at %s', (path) => {
    expect(toHeadScript(path, false)).toBeNull();
  });

  const run = (script: string, name = '') => {
    const requests: [string, RequestInit][] = [];
    const addresses: string[] = [];
    const window: { name: string; linehaulEarly?: { url: string; abort: (reason: unknown) => void } } = {
      name,
    };
    const fetch = (url: string, init: RequestInit) => {
      requests.push([url, init]);
      return Promise.reject(new Error('no network'));
    };
    const history = { replaceState: (_: unknown, __: string, url: string) => void addresses.push(url) };
    const location = { hash: '#top' };
    new Function('window', 'fetch', 'history', 'location', script)(window, fetch, history, location);
    return { requests, addresses, name: window.name, early: window.linehaulEarly! };
  };

  it('requests the live answer once, as a screen, and can be stopped', () => {
    const { requests, addresses, name, early } = run(toHeadScript('/fleets/123/roster', false)!);
    expect(requests.map(([url]) => url)).toEqual(['/api/fleets/123/live']);
    expect(requests[0]![1]).toMatchObject({
      cache: 'no-store',
      headers: { accept: 'application/json', 'x-linehaul-screen': name },
    });
    expect(early.url).toBe('/api/fleets/123/live');
    early.abort('late');
    expect(requests[0]![1].signal!.reason).toBe('late');
    expect(addresses).toEqual([]);
  });

  it('is one screen after a reload, and another one in another tab', () => {
    const open = (name?: string) => run(toHeadScript('/fleets/123', false)!, name);
    const [first, other] = [open(), open()];
    expect(first.name).toMatch(/^[\w-]{8,40}$/);
    expect(open(first.name)).toMatchObject({
      name: first.name,
      requests: [[expect.anything(), { headers: { 'x-linehaul-screen': first.name } }]],
    });
    expect(other.name).not.toBe(first.name);
    // A name that another site gave is no header.
    expect(open('their “tab”').name).toMatch(/^screen-/);
  });

  it('writes the address of a page that is shown at another one', () => {
    const script = toHeadScript('/fleets/123?q=</script>', true)!;
    expect(script).not.toContain('<');
    expect(run(script).addresses).toEqual(['/fleets/123?q=</script>#top']);
  });
});
