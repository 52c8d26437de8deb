import 'server-only';
import type { ServerResponse } from 'node:http';

/** Writes a handler's Response. */
export const sendResponse = async (answer: Response, response: ServerResponse): Promise<void> => {
  const body = new Uint8Array(await answer.arrayBuffer());
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  if (answer.status !== 304) response.setHeader('content-length', body.length);
  response.writeHead(answer.status).end(body);
};
