import { expect, it } from 'vitest';
import type { AuditEntry } from '@/lib/audit/schema';
import { toAuditCsv } from './audit-reader';

const toLine = (id: number): AuditEntry => ({
  id,
  atMs: 0,
  actor: '=cmd|x',
  action: 'user.change',
  subject: 'dan@carrier.test',
  address: null,
  outcome: 'done',
  details: { role: { before: 'dispatcher', after: 'manager' } },
});

it('writes every entry of a long log once, reads it in pages, and neutralizes formulas', async () => {
  const all = Array.from({ length: 2500 }, (_, i) => toLine(2500 - i));
  const asked: (number | undefined)[] = [];
  const pieces = toAuditCsv(async ({ limit, beforeId }) => {
    asked.push(beforeId);
    return all.filter(({ id }) => beforeId === undefined || id < beforeId).slice(0, limit);
  });
  let csv = '';
  for await (const piece of pieces) csv += piece;
  const lines = csv.trimEnd().split('\r\n');
  expect(asked).toEqual([undefined, 1501, 501]);
  expect(lines).toHaveLength(2501);
  expect(lines[0]).toBe('\uFEFFtime,who,what,on,outcome,address,details');
  expect(lines[1]).toBe(
    `1970-01-01T00:00:00.000Z,'=cmd|x,user.change,dan@carrier.test,done,,"{""role"":{""before"":""dispatcher"",""after"":""manager""}}"`,
  );
});
