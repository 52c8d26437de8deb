'use client';

import { useParams } from 'next/navigation';

const EXCERPT_CHARACTERS = 60;

/** A parameter of the page's address, for a message about what is wrong with it. */
export const AddressParameter = ({ name }: { name: string }) => {
  const text = useParams<Record<string, string>>()?.[name] ?? '';
  const shown = decodeReadable(text);
  return <b>“{shown.length > EXCERPT_CHARACTERS ? `${shown.slice(0, EXCERPT_CHARACTERS)}…` : shown}”</b>;
};

const decodeReadable = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // An incomplete escape is shown as it was typed.
    if (error instanceof URIError) return text;
    throw error;
  }
};
