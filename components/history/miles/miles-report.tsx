'use client';

import { AnswerLoading } from '../answer-states';
import type { HistoryRange } from '../use-history-address';

export const MilesReport = (_: { range: HistoryRange }) => <AnswerLoading />;
