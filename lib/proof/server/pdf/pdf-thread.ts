import 'server-only';
import { parentPort } from 'node:worker_threads';
import { drawPdf, type PdfJob } from './draw-pdf';

// At the usual priority, unlike reports: a person waits for it, and on a busy machine the lowest one turns a second into a minute.
parentPort!.on('message', (job: PdfJob) => {
  void drawPdf(job).then(
    (pdf) => parentPort!.postMessage(pdf, [pdf.buffer]),
    // It ends the thread, and the pool reports it.
    (error: unknown) =>
      setImmediate(() => {
        throw error;
      }),
  );
});
