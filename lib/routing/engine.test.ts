import { describe, expect, it } from 'vitest';
import { toEngine, type Engine } from './engine';

const FROM = { lat: 35.222, lng: -101.8313 };
const TO = { lat: 32.7767, lng: -96.797 };
const { signal } = new AbortController();

const engineOf = (url: string): Engine => {
  const engine = toEngine(url);
  if ('fault' in engine) throw new Error(engine.fault);
  return engine;
};

describe('toEngine', () => {
  it('asks OSRM as its documentation says, and keeps what the address has', async () => {
    const engine = engineOf('https://user:p%40ss@osrm.example.com/eu/route/v1/truck/?token=planted-token');
    const request = engine.toRequest(FROM, TO, signal);
    expect(engine.name).toBe('osrm');
    expect(request.method).toBe('GET');
    expect(request.url).toBe(
      'https://osrm.example.com/eu/route/v1/truck/-101.83130,35.22200;-96.79700,32.77670' +
        '?token=planted-token&overview=false&radiuses=2000;2000',
    );
    expect(request.headers.get('authorization')).toBe(`Basic ${btoa('user:p@ss')}`);
    expect(engine.secrets).toEqual(['p@ss', 'planted-token']);
  });

  it('asks Valhalla for a truck, and sends nothing but coordinates', async () => {
    const request = engineOf('http://127.0.0.1:8002/route').toRequest(FROM, TO, signal);
    expect([request.method, request.url]).toEqual(['POST', 'http://127.0.0.1:8002/route']);
    expect(await request.json()).toEqual({
      locations: [
        { lat: 35.222, lon: -101.8313, search_cutoff: 2000 },
        { lat: 32.7767, lon: -96.797, search_cutoff: 2000 },
      ],
      ...{ costing: 'truck', units: 'kilometers', directions_type: 'none' },
    });
    expect([...request.headers.keys()].sort()).toEqual(['accept', 'content-type', 'user-agent']);
  });

  it.each([
    ['127.0.0.1:5000/route/v1/driving', 'http or https'],
    ['ftp://host/route', 'http or https'],
    ['http://host/with blank/route', 'http or https'],
    ['http://planted@host', 'must end with'],
    ['http://host/route/v1', 'must end with'],
    ['http://host/route/v1/driving/1,2;3,4', 'must end with'],
    ['http://host/route#planted', 'must end with'],
  ])('refuses %s and does not repeat it', (url, text) => {
    const { fault } = toEngine(url) as { fault: string };
    expect(fault).toContain(text);
    expect(fault).not.toContain('planted');
  });

  it('takes a password whose % begins no escape as it stands', () => {
    const request = engineOf('http://u:100%@host/route').toRequest(FROM, TO, signal);
    expect(request.headers.get('authorization')).toBe(`Basic ${btoa('u:100%')}`);
  });
});
