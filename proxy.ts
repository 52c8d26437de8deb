import { NextResponse } from 'next/server';
import type { NextRequest } from 'next/server';
import { admitPage } from './lib/http/page-door';

/** Called by Next.js before every page: refuses what the door refuses, and gives the page a policy of its own. */
export const proxy = (request: NextRequest): Response => {
  const admitted = admitPage(request);
  if (admitted.refusal !== null) return admitted.refusal;
  const response = NextResponse.next({ request: { headers: admitted.requestHeaders } });
  admitted.answerHeaders.forEach((value, name) => response.headers.set(name, value));
  return response;
};

export const config = {
  // Not what has a door of its own (route handlers), nor files, which run nothing.
  matcher: '/((?!api/|tracking/|metrics$|_next/|basemap/|places/|icon[.]svg).*)',
};
