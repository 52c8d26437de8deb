import { describe, expect, it } from 'vitest';
import type { AppError } from '@/lib/http/problems';
import { z } from 'zod';
import { readInput } from './read-input';

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
    const told = await readInput(send('{"name":"a secret","role":"manager"}'), schema).catch(
      (error: unknown) => error,
    );
    expect(told).toMatchObject({ code: 'bad-input' });
    expect((told as AppError).faults!.map(({ field }) => field).sort()).toEqual(['', 'name']);
    expect(JSON.stringify(told) + String(told)).not.toContain('a secret');
    for (const body of ['not json: a secret', '', '[1]', new Uint8Array([0x22, 0xff, 0x22])]) {
      const error = await readInput(send(body), schema).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: 'bad-input' });
      expect(String(error)).not.toContain('secret');
    }
  });

  it('refuses what a form of another site can send, and what is too long', async () => {
    await expect(readInput(send('{"name":"Ann"}', 'text/plain'), schema)).rejects.toMatchObject({
      code: 'bad-input',
    });
    const long = send(`{"name":"${'x'.repeat(70_000)}"}`);
    await expect(readInput(long, schema)).rejects.toMatchObject({ code: 'input-too-long' });
  });
});
