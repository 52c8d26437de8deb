import { z } from '@/lib/base/zod';
import type { Block } from '../blocks';
import type { DocumentContent } from '../content';

/** What a position certificate says. */
export const positionCertificateSchema = z.strictObject({ truck: z.string().max(100) });
export type PositionCertificate = z.infer<typeof positionCertificateSchema>;

export const toCertificateBlocks = ({ subject }: DocumentContent<PositionCertificate>): Block[] => [
  { type: 'facts', facts: [{ label: 'Truck', value: subject.truck }] },
];
