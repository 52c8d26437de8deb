import { z } from '@/lib/base/zod';
import { toTranslate, type Translate } from '@/lib/catalog/catalog';
import { toCanonical } from './canonical';
import type { Block } from './blocks';
import { toContentSchema, type DocumentContent } from './content';
import {
  detentionStatementSchema,
  toDetentionBlocks,
  type DetentionStatement,
} from './kinds/detention-statement';
import {
  positionCertificateSchema,
  toCertificateBlocks,
  type PositionCertificate,
} from './kinds/position-certificate';

/** The kind's own part of each document. */
export interface Subjects {
  'detention-statement': DetentionStatement;
  'position-certificate': PositionCertificate;
}

const documentSchema = z.discriminatedUnion('kind', [
  toContentSchema('detention-statement', detentionStatementSchema),
  toContentSchema('position-certificate', positionCertificateSchema),
]);
export type ProofDocument = z.infer<typeof documentSchema>;

/** A document by its canonical JSON; null: it is no document, or its JSON is not canonical. */
export const parseDocument = (text: string): ProofDocument | null => {
  try {
    const value: unknown = JSON.parse(text);
    const { data } = documentSchema.safeParse(value);
    return data && toCanonical(value) === text ? data : null;
  } catch (error) {
    // JSON.parse and toCanonical throw for what is no JSON of a document.
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
};

/**
 * The parts of a document in their order, which page and PDF both draw. Headings and labels are in the translator's language; what
 * the document says is in English.
 */
export const toBlocks = (content: ProofDocument, translate: Translate = toTranslate('en')): Block[] =>
  content.kind === 'detention-statement'
    ? toDetentionBlocks(content as DocumentContent<DetentionStatement>, translate)
    : toCertificateBlocks(content as DocumentContent<PositionCertificate>, translate);
