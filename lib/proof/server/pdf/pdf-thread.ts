import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { drawPdf, type PdfJob } from './draw-pdf';

// On Linux this is the priority of the thread alone: requests of the live map go first.
setPriority(10);

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
