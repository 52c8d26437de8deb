import { emailSchema } from '@/lib/auth/schema';
import { flag, integer, object, text, type ShapeOf } from '@/lib/base/shape';
import { z } from '@/lib/base/zod';
import type { DocumentKind } from './content';

/** GET /api/fleets/:usdot/proof: a document as lists show it. Times are Unix ms. */
export interface DocumentRow {
  number: string;
  revision: number;
  /** The newest revision of this number. */
  newest: number;
  kind: DocumentKind;
  /** The truck by its key. */
  unit: string;
  loadId: number | null;
  about: string;
  issuedMs: number;
  /** Its number alone shows it to people without an account. */
  isShownByNumber: boolean;
  /** An e-mail address, or "server". */
  madeBy: string;
}

/** GET /api/fleets/:usdot/proof: the newest revision of each document, the newest first. */
export interface DocumentList {
  /** Documents can be mailed: the server has a mail server. */
  canMail: boolean;
  documents: DocumentRow[];
}

/** A document that was just issued: the next revision of one is shown to whom the one before was. */
export const issuedShape = object({ number: text, revision: integer(1), isShownByNumber: flag });
export type IssuedDocument = ShapeOf<typeof issuedShape>;

/** PUT /api/fleets/:usdot/proof/:number */
export const documentChangeSchema = z.strictObject({ isShownByNumber: z.boolean() });
/** POST /api/fleets/:usdot/proof/:number/mail */
export const documentMailSchema = z.strictObject({ address: emailSchema });
export type DocumentMail = z.infer<typeof documentMailSchema>;

export type DocumentChange = z.infer<typeof documentChangeSchema>;
