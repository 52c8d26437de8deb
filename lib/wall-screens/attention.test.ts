import { expect, it } from 'vitest';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import { readUnitRow } from '@/lib/view/unit-row';
import { listAttention, problemText, seenTexts, townFirst } from './attention';

const NOW_MS = Date.UTC(2026, 10, 17, 20);
const ago = (minutes: number): number => NOW_MS / 1000 - minutes * 60;

it('lists what is late, silent or flagged: what does not report first, faults after it', () => {
  const fleet = createTestFleet([
    { truckNumber: 'moving', status: 'moving' },
    { truckNumber: 'flagged', status: 'moving', flags: ['badVin'] },
    { truckNumber: 'quiet', status: 'silent' },
    null,
    { truckNumber: 'parked', status: 'stopped' },
    { truckNumber: 'late', status: 'late' },
    { truckNumber: 'unknown', status: 'unknown' },
    { truckNumber: 'vanished', status: 'silent', reason: 'vanishedMoving' },
  ]);
  const names = Array.from(listAttention(fleet), (row) => fleet.identities[row]!.truckNumber);
  expect(names).toEqual(['vanished', 'late', 'quiet', 'flagged']);
});

it.each<[UnitFields, string, string]>([
  [{ status: 'late', fixAtS: ago(12) }, 'late 12 min', 'Newnan, GA · [^ ]+ [AP]M'],
  [
    { status: 'silent', reason: 'vanishedMoving', fixAtS: ago(125) },
    'silent 2 h',
    'Newnan, GA · [^ ]+ [AP]M',
  ],
  [{ status: 'silent', reason: 'neverSeen' }, 'silent', 'No fix so far'],
  [{ status: 'moving', flags: ['clockFault'], fixAtS: ago(1) }, 'Clock fault', 'Newnan, GA · [^ ]+ [AP]M'],
  [{ status: 'late', flags: ['clockFault'], fixAtS: ago(9) }, 'late 9 min', 'Newnan, GA · [^ ]+ [AP]M'],
])('says what is wrong, where and since when: %o', (fields, problem, place) => {
  const unit = readUnitRow(createTestFleet([fields]), 0)!;
  expect(problemText(unit, NOW_MS)).toBe(problem);
  const seen = seenTexts(unit, 'Newnan, GA', NOW_MS, 0);
  expect(`${seen.place} · ${seen.time}`).toMatch(new RegExp(`^${place}`));
});

it('names the town of a place before the distance to it', () => {
  expect(townFirst('8 mi W of Sulphur Springs, TX')).toBe('Sulphur Springs, TX · 8 mi W');
  expect(townFirst('Iowa, LA')).toBe('Iowa, LA');
  expect(townFirst('Far from any named place')).toBe('Far from any named place');
});
