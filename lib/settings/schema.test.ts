import { expect, it } from 'vitest';
import { THRESHOLD_SCHEMAS } from './schema';

it('a change of identity is cleared later than it is raised, because both times count from the change', () => {
  const schema = THRESHOLD_SCHEMAS.identityChange;
  expect(schema.safeParse({ enterMs: 60_000, leaveMs: 120_000 }).success).toBe(true);
  const [issue] = schema.safeParse({ enterMs: 60_000, leaveMs: 60_000 }).error?.issues ?? [];
  expect(issue).toMatchObject({ path: ['leaveMs'], message: expect.stringContaining('Both times count') });
});

it('only the carrier flag counts answers', () => {
  const times = { enterMs: 0, leaveMs: 60_000 };
  const counted = { ...times, enterAnswers: 2, leaveAnswers: 2 };
  expect(THRESHOLD_SCHEMAS.wrongCarrier.safeParse(counted).success).toBe(true);
  expect(THRESHOLD_SCHEMAS.wrongCarrier.safeParse(times).success).toBe(false);
  expect(THRESHOLD_SCHEMAS.badVin.safeParse(counted).success).toBe(false);
});
