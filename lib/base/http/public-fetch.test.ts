import { expect, it } from 'vitest';
import { startReceiver } from '@/testing/alerts/receiver';
import { createPublicFetch } from './public-fetch';

it.each(['http://127.0.0.1', 'http://[::1]', 'http://10.1.2.3', 'http://localhost', 'http://2130706433'])(
  'refuses %s without a connection',
  async (origin) => {
    await expect(createPublicFetch()(new Request(`${origin}:9/api/carrier`))).rejects.toThrow(
      /private network/,
    );
  },
);

it('refuses a name that stands for an address of a private network', async () => {
  const receiver = await startReceiver();
  const fetch = createPublicFetch((_name, _options, done) =>
    done(null, [{ address: '127.0.0.1', family: 4 }]),
  );
  await expect(fetch(new Request(`http://api.test:${receiver.port}/`))).rejects.toMatchObject({
    cause: { name: 'PrivateAddressError' },
  });
  expect(receiver.received).toEqual([]);
  await receiver.close();
});
