import { readFileSync } from 'node:fs';
import type { APIResponse, BrowserContext, Response } from '@playwright/test';

/** A received text, and where it came from. */
export interface ReceivedText {
  where: string;
  text: string;
}

export const toReceivedText = async (response: Response | APIResponse): Promise<ReceivedText> => {
  const headers = JSON.stringify(response.headers());
  const isRedirect = response.status() >= 300 && response.status() < 400;
  const body = isRedirect ? '' : (await response.body()).toString('utf8');
  return { where: `${response.status()} ${response.url()}`, text: `${headers}\n${body}` };
};

/** Collects everything that the pages of a context receive: documents, scripts, styles, data. */
export const collectAnswers = (context: BrowserContext): (() => Promise<ReceivedText[]>) => {
  const answers: Promise<ReceivedText | null>[] = [];
  context.on('response', (response) => {
    // A page that is left aborts its pending requests, which then received nothing.
    answers.push(toReceivedText(response).catch(() => null));
  });
  return async () => (await Promise.all(answers)).filter((said) => said !== null);
};

/** The content of a file. */
export const readReceivedText = (file: string): ReceivedText => ({
  where: file,
  text: readFileSync(file, 'utf8'),
});
