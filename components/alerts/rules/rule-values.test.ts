import { describe, expect, it } from 'vitest';
import { alertRuleInputSchema, type AlertRule, type ConditionKind } from '@/lib/rules/alert-rule';
import {
  CONDITION_FIELDS,
  SUGGESTIONS,
  toNewValues,
  toRuleInput,
  toRuleValues,
  type RuleValues,
} from './rule-values';

const ZONE = 'America/Chicago';
const NAMES = { site: (id: number) => `Site ${id}`, unit: (key: string) => key };
const NEW = toNewValues(ZONE, false);

const withCondition = (condition: Partial<RuleValues['condition']>): RuleValues => ({
  ...NEW,
  condition: { ...NEW.condition, flags: ['badVin'], ...condition },
});

describe.each(Object.keys(CONDITION_FIELDS) as ConditionKind[])('a rule of the kind %s', (kind) => {
  const input = toRuleInput(withCondition({ kind, siteIds: ['3'] }), NAMES);

  it('is what the server takes, with a sentence as its name', () => {
    expect(alertRuleInputSchema.parse(input)).toEqual(input);
    expect(input.name).not.toMatch(/^When|^$/);
  });

  it('comes back as it was', () => {
    const rule: AlertRule = { ...input, id: 1, madeBy: 'Ann' };
    expect(toRuleInput(toRuleValues(rule, ZONE), NAMES)).toEqual(input);
  });
});

it.each([
  ['units', ['V1']],
  ['statuses', ['moving']],
  ['makes', ['Kenworth']],
  ['tags', ['flatbed']],
] as const)('a rule can be limited to %s', (type, chosen) => {
  const input = toRuleInput({ ...NEW, units: { ...NEW.units, type, [type]: chosen } }, NAMES);
  expect(input.units).toEqual({ type, [type]: chosen });
  expect(alertRuleInputSchema.safeParse(input).success).toBe(true);
});

it('the feed is no unit: a rule about it has no scope', () => {
  const values = withCondition({ kind: 'feedFails' });
  expect(
    toRuleInput({ ...values, units: { ...NEW.units, type: 'makes', makes: ['Mack'] } }, NAMES).units,
  ).toEqual({
    type: 'all',
  });
});

it('a list that is still empty is refused with the path of its field', () => {
  const values = withCondition({ kind: 'arrives', siteIds: [] });
  const { error } = alertRuleInputSchema.safeParse(toRuleInput({ ...values, name: 'Arrivals' }, NAMES));
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['condition.siteIds']);
});

it('a suggestion is a whole rule', () => {
  for (const { change } of SUGGESTIONS)
    expect(alertRuleInputSchema.safeParse(toRuleInput(change(NEW), NAMES)).success).toBe(true);
});

it('a long sentence is cut to the longest name', () => {
  const tags = Array.from({ length: 3 }, (_, i) => `a tag of thirty-eight characters here ${i}`);
  const { name } = toRuleInput({ ...NEW, units: { ...NEW.units, type: 'tags', tags } }, NAMES);
  expect(name.length).toBeLessThanOrEqual(100);
  expect(name.endsWith('…')).toBe(true);
});
