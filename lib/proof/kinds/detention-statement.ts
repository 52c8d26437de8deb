import { z } from '@/lib/base/zod';
import type { Block } from '../blocks';
import type { DocumentContent } from '../content';

/** What a detention statement says. */
export const detentionStatementSchema = z.strictObject({ truck: z.string().max(100) });
export type DetentionStatement = z.infer<typeof detentionStatementSchema>;

export const toDetentionBlocks = ({ subject }: DocumentContent<DetentionStatement>): Block[] => [
  { type: 'facts', facts: [{ label: 'Truck', value: subject.truck }] },
];
