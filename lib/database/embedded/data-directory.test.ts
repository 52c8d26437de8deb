import { expect, test } from 'vitest';
import { chooseAccount, parsePasswd } from './data-directory';

const ACCOUNTS = parsePasswd(`root:x:0:0:root:/root:/bin/bash
daemon:x:1:1::/usr/sbin:/usr/sbin/nologin
ana:x:1000:1001:Ana:/home/ana:/bin/bash
postgres:x:101:104::/var/lib/postgresql:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`);

test('reads the accounts of a passwd file', () => {
  expect(ACCOUNTS).toHaveLength(5);
  expect(ACCOUNTS[2]).toEqual({ name: 'ana', uid: 1000, gid: 1001 });
});

test('runs as the owner of the data or the checkout, when that is not root', () => {
  expect(chooseAccount([1000, 0], ACCOUNTS)?.name).toBe('ana');
  expect(chooseAccount([0, 1000], ACCOUNTS)?.name).toBe('ana');
});

test('runs as the user nobody otherwise, or the next best that exists', () => {
  expect(chooseAccount([0], ACCOUNTS)?.name).toBe('nobody');
  expect(chooseAccount([4242], ACCOUNTS)?.name).toBe('nobody');
  const withoutNobody = ACCOUNTS.filter(({ name }) => name !== 'nobody');
  expect(chooseAccount([], withoutNobody)?.name).toBe('postgres');
});

test('finds no account if root is the only one', () => {
  expect(chooseAccount([0], parsePasswd('root:x:0:0:root:/root:/bin/sh\n'))).toBeNull();
});
