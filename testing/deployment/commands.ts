import { readFileSync } from 'node:fs';

/** The shell commands of the one code block of a document that contains `phrase`. */
export const readCommands = (path: string, phrase: string): string => {
  const blocks = [...readFileSync(path, 'utf8').matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)];
  const found = blocks.filter(([, , text]) => text!.includes(phrase));
  if (found.length !== 1) throw new Error(`${path} has ${found.length} code blocks with ${phrase}.`);
  const [, indent, text] = found[0]!;
  return text!.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
};
