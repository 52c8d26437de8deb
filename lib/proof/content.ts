import { z } from '@/lib/base/zod';

export const FORMAT = 'linehaul-proof/1';
export const DOCUMENT_KINDS = ['detention-statement', 'position-certificate'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** The end of the year 9999, Unix ms. */
export const LATEST_MS = 253_402_300_799_999;
/** Unix ms. */
export const msSchema = z.int().min(0).max(LATEST_MS);
/** Degrees in 1/100,000. */
export const latE5Schema = z.int().min(-9_000_000).max(9_000_000);
export const lngE5Schema = z.int().min(-18_000_000).max(18_000_000);

export const MOST_MC_CHARACTERS = 20;

/** Who issued a document. */
export const issuerSchema = z.strictObject({
  carrier: z.string().max(200),
  usdot: z.string().max(8),
  /** Docket number; null: none is known. */
  mc: z.string().max(MOST_MC_CHARACTERS).nullable(),
  /** The public address of the server then; empty: it had none. */
  installation: z.string().max(500),
});
export type DocumentIssuer = z.infer<typeof issuerSchema>;

const head = {
  format: z.literal(FORMAT),
  /** 7K3M-92QX-4HTD. */
  number: z.string().regex(/^[0-9B-DF-HJKMNP-TV-Z]{4}(?:-[0-9B-DF-HJKMNP-TV-Z]{4}){2}$/),
  revision: z.int().min(1).max(10_000),
  /** The revision before, which stays as it is. */
  revises: z.int().min(1).max(10_000).nullable(),
  issuedMs: msSchema,
  issuer: issuerSchema,
  /** It is by what was recorded until then. */
  knownMs: msSchema,
};

/** The schema of a kind of document, of which `subject` is the kind's own part. */
export const toContentSchema = <Kind extends DocumentKind, Subject extends z.ZodType>(
  kind: Kind,
  subject: Subject,
) => z.strictObject({ ...head, kind: z.literal(kind), subject });

/** The content of a document. It is signed in its canonical form, so it has no fractions: money is in cents, times are Unix ms. */
export interface DocumentContent<Subject = unknown> {
  format: typeof FORMAT;
  kind: DocumentKind;
  number: string;
  revision: number;
  revises: number | null;
  issuedMs: number;
  issuer: DocumentIssuer;
  knownMs: number;
  subject: Subject;
}
