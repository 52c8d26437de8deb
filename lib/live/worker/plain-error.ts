import 'server-only';
/** What of an error crosses from one thread to another: a clone of its causes may fail, and names of classes are lost. */
export interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
}

export const toPlainError = (error: unknown): PlainError =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: 'Error', message: String(error), stack: undefined };

export const fromPlainError = ({ name, message, stack }: PlainError): Error =>
  Object.assign(new Error(message), { name, stack });
