import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { readAgain } from './change';

it('reads again also what is being read for the first time', async () => {
  const client = new QueryClient();
  const answers: ((links: string[]) => void)[] = [];
  const list = new QueryObserver<string[]>(client, {
    queryKey: ['links'],
    queryFn: () => new Promise((resolve) => answers.push(resolve)),
  });
  const stop = list.subscribe(() => undefined);
  expect(answers).toHaveLength(1);
  const again = readAgain(client, ['links']);
  await expect.poll(() => answers.length).toBe(2);
  answers[0]!([]);
  answers[1]!(['Acme']);
  await again;
  expect(list.getCurrentResult().data).toEqual(['Acme']);
  stop();
  client.clear();
});
