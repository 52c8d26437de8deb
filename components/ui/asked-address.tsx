'use client';

import { useParams } from 'next/navigation';

const EXCERPT_CHARACTERS = 60;

/** What the address says in the place of a parameter, for a page that has to say what is wrong with it. */
export const AskedParameter = ({ name }: { name: string }) => {
  const text = useParams<Record<string, string>>()?.[name] ?? '';
  const shown = readable(text);
  return <b>“{shown.length > EXCERPT_CHARACTERS ? `${shown.slice(0, EXCERPT_CHARACTERS)}…` : shown}”</b>;
};

const readable = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A half escape is shown as it was typed.
    if (error instanceof URIError) return text;
    throw error;
  }
};
