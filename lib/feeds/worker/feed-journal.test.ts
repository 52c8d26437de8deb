import { expect, it } from 'vitest';
import type { PollReport } from '@/lib/fleet/poll-report';
import { FeedJournal } from './feed-journal';

const CENSUS = { units: 1, byStatus: [], byFlag: [], fixesYoungerThan: [], newestFixAtMs: null };

const reportOf = (usdot: string, failure: PollReport['failure'] = null): PollReport => ({
  usdot,
  failure,
  tookMs: 5,
  counts: CENSUS,
});

it('keeps the last poll of each fleet, and of no more fleets than it may', () => {
  const journal = new FeedJournal(2);
  journal.notePoll(reportOf('a', 'network'), null);
  journal.notePoll(reportOf('b'), null);
  journal.notePoll(reportOf('a'), null);
  expect(journal.lastPoll('a')).toMatchObject({ failure: null });
  journal.notePoll(reportOf('c'), null);
  expect(journal.usdots()).toEqual(['a', 'c']);
  expect(journal.lastPoll('b')).toBeNull();
});
