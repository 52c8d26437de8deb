import 'server-only';

/**
 * The response, fit to be answered by a route handler although its body is compressed already.
 *
 * Next.js (16.4, server/send-response.js) leaves out Content-Encoding, because the body of a response that
 * came through fetch is decoded by then. It looks for the name in lower case; HTTP takes it in any.
 */
export const keepEncoding = (response: Response): Response => {
  const { headers } = response;
  const forEach = headers.forEach.bind(headers);
  headers.forEach = (visit, self) =>
    forEach((value, name) =>
      visit.call(self, value, name === 'content-encoding' ? 'Content-Encoding' : name, headers),
    );
  return response;
};
