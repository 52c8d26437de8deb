'use client';

import { AnswerLoading } from '../answer-states';
import type { HistoryRange } from '../use-history-address';

export const ActivityReport = (_: { range: HistoryRange }) => <AnswerLoading />;
