'use client';

import { useEffect, useState } from 'react';
import { EntryPage } from '@/components/layout/entry-page';
import { openWallScreen } from '@/lib/wall-screens/queries';

const NO_LINK = 'This link is incomplete: the part after "#" is missing.';

export const OpenScreenPage = () => {
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const token = window.location.hash.slice(1);
    const opening = token === '' ? Promise.reject(new Error(NO_LINK)) : openWallScreen(token);
    opening.then(
      // Replaces the link's entry in the history, which holds the token.
      (path) => window.location.replace(path),
      (error: Error) => setFailure(error.message),
    );
  }, []);
  return (
    <EntryPage head="Wall screen">
      <p role={failure === null ? 'status' : 'alert'}>{failure ?? 'Opening the screen…'}</p>
    </EntryPage>
  );
};
