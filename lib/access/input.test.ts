import { describe, expect, it } from 'vitest';
import { isAppError, type AppError } from '@/lib/base/http/problems';
import { requireKey, requireUsdot, requireVersion, requireVin, readInput } from './input';
import { z } from 'zod';

const codeOf = (check: () => unknown): string | null => {
  try {
    check();
  } catch (error) {
    if (isAppError(error)) return error.code;
    throw error;
  }
  return null;
};

describe('the guards of path parameters', () => {
  it('give one carrier and one vehicle one canonical name', () => {
    expect(requireUsdot(' 0009000001')).toBe('9000001');
    expect(requireVin('1m8gdm9axkp042788')).toBe('1M8GDM9AXKP042788');
  });

  it('refuse malformed parts with their own codes', () => {
    for (const text of ['', 'abc', '123456789', '1 2', '../1'])
      expect(
        codeOf(() => requireUsdot(text)),
        text,
      ).toBe('malformed-usdot');
    for (const text of ['', '1M8GDM9AXKP04278', '1M8GDM9AXKPO42788'])
      expect(
        codeOf(() => requireVin(text)),
        text,
      ).toBe('malformed-vin');
    for (const text of ['', 'x'.repeat(141)])
      expect(
        codeOf(() => requireKey(text)),
        text,
      ).toBe('malformed-key');
    for (const text of ['a b', '"', 'x'.repeat(81)])
      expect(
        codeOf(() => requireVersion(text)),
        text,
      ).toBe('malformed-version');
  });

  it('quote the address at a limited length', () => {
    expect(() => requireUsdot('abc')).toThrow('A USDOT number has 1 to 8 digits; the address has "abc".');
    expect(() => requireUsdot('x'.repeat(10_000))).toThrow(/^.{1,120}$/);
  });

  it('treat a missing version as none', () => {
    expect(requireVersion(null)).toBeNull();
    expect(requireVersion('')).toBeNull();
    expect(requireVersion('mwpsxw0b24t.12')).toBe('mwpsxw0b24t.12');
  });

  it('accept the key of any unit', () => {
    for (const key of ['1M8GDM9AXKP042788', 'device:PT30/1', 'truck:Ünit 7'])
      expect(requireKey(key)).toBe(key);
  });
});

const schema = z.strictObject({ name: z.string().max(5, 'Too long.') });
const send = (body: BodyInit, type = 'application/json') =>
  new Request('http://127.0.0.1/', { method: 'POST', body, headers: { 'content-type': type } });

describe('readInput', () => {
  it('reads input that fits', async () => {
    expect(await readInput(send('{"name":"Ann"}', 'Application/JSON; charset=utf-8'), schema)).toEqual({
      name: 'Ann',
    });
  });

  it('reports each fault with its field, and never the sent value', async () => {
    const error = await readInput(send('{"name":"a secret","role":"manager"}'), schema).catch(
      (error: unknown) => error,
    );
    expect(error).toMatchObject({ code: 'bad-input' });
    expect((error as AppError).faults!.map(({ field }) => field).sort()).toEqual(['', 'name']);
    expect(JSON.stringify(error) + String(error)).not.toContain('a secret');
    for (const body of ['not json: a secret', '', '[1]', new Uint8Array([0x22, 0xff, 0x22])]) {
      const error = await readInput(send(body), schema).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: 'bad-input' });
      expect(String(error)).not.toContain('secret');
    }
  });

  it('refuses characters that no database stores', async () => {
    for (const body of ['{"name":"a\\u0000"}', '{"name":"a\\ud800"}', '{"name":"\\udc00\\ud83d"}'])
      await expect(readInput(send(body), schema), body).rejects.toMatchObject({
        code: 'bad-input',
        detail: 'The input has a character that no text has.',
      });
    expect(await readInput(send('{"name":"\\ud83d\\ude9a"}'), schema)).toEqual({ name: '🚚' });
  });

  it('refuses what a form of another site can send, and what is too long', async () => {
    await expect(readInput(send('{"name":"Ann"}', 'text/plain'), schema)).rejects.toMatchObject({
      code: 'bad-input',
    });
    const long = send(`{"name":"${'x'.repeat(70_000)}"}`);
    await expect(readInput(long, schema)).rejects.toMatchObject({ code: 'input-too-long' });
  });
});
