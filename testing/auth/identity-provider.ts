import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A user of the test's identity provider. */
export interface KnownPerson {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
}

export interface IdentityProvider {
  issuer: string;
  /** The next user to sign in, without any prompt. */
  person: KnownPerson;
  /** Follows the provider's pages as a browser would; returns the final redirect URL. */
  follow: (url: string) => Promise<string>;
  close: () => Promise<void>;
}

export const CLIENT_ID = 'linehaul';
export const CLIENT_SECRET = 'a-secret-of-the-provider-of-tests';

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/**
 * An independent OpenID Connect provider (oidc-provider) on its own port. It signs in `person` without a prompt, and
 * grants every consent.
 */
export const startIdentityProvider = async (redirectUri: string): Promise<IdentityProvider> => {
  const { createServer } = await import('node:http');
  let handle: (...args: Parameters<ReturnType<Provider['callback']>>) => void = () => undefined;
  const server = createServer((request, response) => void handle(request, response));
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const held = { person: { sub: 'no-person', email: '', email_verified: false, name: '' } as KnownPerson };
  const people = new Map<string, KnownPerson>();
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub)! }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['signs the cookies of a test'] },
  });
  const answer = provider.callback();
  const interact = async (...[request, response]: Parameters<typeof answer>): Promise<void> => {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      people.set(held.person.sub, { ...held.person });
      await provider.interactionFinished(request, response, { login: { accountId: held.person.sub } });
      return;
    }
    const grant = new provider.Grant({
      accountId: session!.accountId,
      clientId: String(params.client_id),
    });
    grant.addOIDCScope(String(params.scope));
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  };
  handle = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(request, response);
    else void answer(request, response);
  };
  return {
    issuer,
    get person() {
      return held.person;
    },
    set person(person) {
      held.person = person;
    },
    follow: async (url) => {
      const cookies = new Map<string, string>();
      for (let next = url; ;) {
        if (!next.startsWith(issuer)) return next;
        const response = await fetch(next, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';', 1)[0]!.split(/=(.*)/s);
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`The provider stays at ${next}: ${await response.text()}`);
        next = new URL(location, next).href;
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
