import { expect, it } from 'vitest';
import { MAIL_PASSWORD, startMailServer } from '@/testing/mail-server';
import { toInvitationMail, toResetMail, createMailer } from './mailer';

const LINK = 'https://fleet.test/join#a-token-of-43-characters-that-is-not-broken-up';

it('sends a mail by SMTP, from the configured sender, with the link in one piece', async () => {
  const server = await startMailServer();
  const send = createMailer({
    url: `smtp://us%40er:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1:${server.port}`,
    from: 'Linehaul <fleet@carrier.test>',
  });
  await send(toInvitationMail({ to: 'new@carrier.test', link: LINK, expiresAtMs: 0 }));
  const [{ to, text, user } = { to: [], text: '', user: '' }] = server.received;
  expect(to).toEqual(['new@carrier.test']);
  expect(user).toBe('us@er');
  expect(text).toMatch(/^From: Linehaul <fleet@carrier\.test>\r$/m);
  expect(text.replaceAll('=\r\n', '')).toContain(LINK);
  await server.close();
});

it('a table goes with a mail as a file', async () => {
  const server = await startMailServer();
  const send = createMailer({ url: `smtp://127.0.0.1:${server.port}`, from: 'a@b.test' });
  const csv = { fileName: 'miles-1.csv', text: '\uFEFFtruck,miles\r\n116,12.5\r\n' };
  await send({ to: 'x@y.test', subject: 'Miles', text: 'The miles.', csv });
  const { text } = server.received[0]!;
  expect(text).toMatch(/^Content-Disposition: attachment; filename=miles-1\.csv\r$/m);
  expect(text).toContain(Buffer.from(csv.text).toString('base64'));
  await server.close();
});

it('fails if the server refuses, so that the caller gets the error', async () => {
  const server = await startMailServer();
  const send = createMailer({ url: `smtp://user:wrong@127.0.0.1:${server.port}`, from: 'a@b.test' });
  await expect(send(toResetMail({ to: 'x@y.test', link: LINK, expiresAtMs: 0 }))).rejects.toThrow();
  expect(server.received).toEqual([]);
  await server.close();
});

it('an address stays one recipient, whatever characters it contains', async () => {
  const server = await startMailServer();
  const send = createMailer({ url: `smtp://127.0.0.1:${server.port}`, from: 'a@b.test' });
  await send(toResetMail({ to: 'one@y.test, two@y.test', link: LINK, expiresAtMs: 0 })).catch(
    () => undefined,
  );
  expect(server.received.flatMap(({ to }) => to)).not.toContain('two@y.test');
  await server.close();
});
