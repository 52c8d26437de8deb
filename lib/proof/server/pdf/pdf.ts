import 'server-only';
import { ThreadPool } from '@/lib/base/process/thread-pool';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import { toBlocks, type ProofDocument } from '../../document';
import { KIND_LABELS } from '../../text';
import { toHeadFacts } from '../page/document-page';
import { draw } from '../page/drawing';
import { JWS_FILE, type drawPdf, type DrawnBlock, type Paper, type PdfJob } from './draw-pdf';

/** A PDF is in the language in which it was issued. */
const ENGLISH = { language: 'en', locale: 'en-US' } as const;

/** One at a time, beside the thread of the live map: a PDF of many fixes takes seconds. */
const pool = new ThreadPool({
  source: `import './lib/proof/server/pdf/pdf-thread.ts';`,
  threads: 1,
  external: ['pdfkit'],
});

/** A document as a PDF that says what its page says, with the signed document inside. */
export const toPdf = async (
  map: Basemap,
  { content, json, jws }: { content: ProofDocument; json: string; jws: string },
  { paper, verifyUrl }: { paper: Paper; verifyUrl: string | null },
): Promise<Buffer> => {
  const { kind, number, revision, issuer, issuedMs } = content;
  const foot = `${number}, revision ${revision}`;
  const where = verifyUrl === null ? 'at /verify on the server of the carrier' : `at ${verifyUrl}`;
  const parts = [{ type: 'facts' as const, facts: toHeadFacts(content, ENGLISH) }, ...toBlocks(content)];
  const job: PdfJob = {
    ...{ carrier: issuer.carrier, heading: KIND_LABELS[kind], title: `${KIND_LABELS[kind]} ${foot}`, foot },
    ...{ issuedMs, paper, jws, json },
    blocks: parts.map((block): DrawnBlock =>
      block.type === 'map' ? { ...block, drawing: draw(map, block) } : block,
    ),
    check: {
      heading: 'How to check it',
      text: `This file carries the signed document (${JWS_FILE}). Drop it on the page ${where}: it says whether what the file carries was issued by this carrier and is unchanged, and shows what was signed. Text and pictures of this file are not signed by themselves: compare them with what that page shows.`,
    },
  };
  const { buffer } = (await pool.runJob(job)) as Awaited<ReturnType<typeof drawPdf>>;
  return Buffer.from(buffer);
};
