import { sessionsOf, usersOf } from '@/testing/auth/sign-in';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRuntime } from '@/server/runtime';
import { POST as serveAuth } from '../api/auth/[...path]/route';
import { GET as readFleets } from '../api/fleets/route';
import { GET as readViewer } from '../api/viewer/route';
import { OTHER, OWN, startAttackedServer, type AttackedServer } from '@/testing/attacks/server';

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttackedServer();
});
afterAll(() => server.close());

const readStatus = async (cookie: string): Promise<number> =>
  (await server.ask(readViewer, '/api/viewer', { cookie })).status;

const sameOrigin = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } };

describe('a session', () => {
  it('is not accepted from a cookie that is forged, signed with another secret or joined from two', async () => {
    const ann = await server.signInAs('ann', 'dispatcher', [OWN]);
    const ben = await server.signInAs('ben', 'manager', null);
    const [name, value] = ann.cookie.split('=', 2) as [string, string];
    const [token, signature] = decodeURIComponent(value).split('.', 2) as [string, string];
    const [benToken] = decodeURIComponent(ben.cookie.split('=', 2)[1]!).split('.', 1) as [string];
    const signed = (secret: string) => createHmac('sha256', secret).update(token).digest('base64');
    const forged = [
      `${name}=${token}`,
      `${name}=${encodeURIComponent(`${token}.${signed('')}`)}`,
      `${name}=${encodeURIComponent(`${token}.${signed('better-auth-secret-12345678901234567890')}`)}`,
      // Another user's session under the viewer's own signature.
      `${name}=${encodeURIComponent(`${benToken}.${signature}`)}`,
      `${name}=${encodeURIComponent(`${token}.${signature.toLowerCase()}`)}`,
      `${name}=${encodeURIComponent(`${token}\0.${signature}`)}`,
      `${name}=%00`,
      `${name}=%E0%A4%A`,
      `${name}=`,
      `__Secure-${ann.cookie}`,
      `__Host-${ann.cookie}`,
      `${name.toUpperCase()}=${value}`,
      `${name}=${'x'.repeat(8000)}`,
    ];
    for (const cookie of forged) expect(await readStatus(cookie), cookie.slice(0, 80)).toBe(401);
    expect(await readStatus(ann.cookie)).toBe(200);
  });

  it('cannot be replayed once it has ended: by signing out, by disabling, by a manager', async () => {
    const app = readRuntime();
    const [users, sessions] = [usersOf(app), sessionsOf(app)];
    const ends: Record<string, (user: { id: string; cookie: string }) => Promise<unknown>> = {
      out: ({ cookie }) =>
        server.ask(serveAuth, '/api/auth/sign-out', {
          cookie,
          init: {
            ...sameOrigin,
            headers: { ...sameOrigin.headers, 'content-type': 'application/json' },
            body: '{}',
          },
        }),
      disabled: ({ id }) => users.change(id, { disabledAtMs: Date.now() }),
      ended: ({ id }) => sessions.endAll(id),
    };
    for (const [name, end] of Object.entries(ends)) {
      const user = await server.signInAs(name, 'dispatcher', null);
      expect(await readStatus(user.cookie), name).toBe(200);
      await end(user);
      for (let tries = 0; tries < 3; tries++) expect(await readStatus(user.cookie), name).toBe(401);
    }
  });

  it('shows its bearer the fleets in their scope now, not those at its start', async () => {
    const users = usersOf(readRuntime());
    const user = await server.signInAs('eve', 'dispatcher', [OWN, OTHER]);
    const list = async () => {
      const { text } = await server.ask(readFleets, '/api/fleets', { cookie: user.cookie });
      return (JSON.parse(text) as { fleets: { usdot: string }[] }).fleets.map(({ usdot }) => usdot);
    };
    expect(await list()).toEqual([OWN, OTHER]);
    await users.change(user.id, { usdots: [OTHER] });
    expect(await list()).toEqual([OTHER]);
    await users.change(user.id, { usdots: [] });
    expect(await list()).toEqual([]);
  });
});
