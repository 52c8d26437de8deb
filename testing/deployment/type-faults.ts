import { resolve } from 'node:path';
import ts from 'typescript';

export interface TypedValue {
  /** Import statements for `type`. */
  imports: string;
  type: string;
  value: unknown;
}

/** In JSON a member of an enum is its value. */
const PLAIN = `type Plain<T> = T extends string ? \`\${T}\` : T extends number | boolean | null | undefined ? T
  : T extends (infer Each)[] ? Plain<Each>[] : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;\n`;

/** What TypeScript finds wrong with values of JSON: also fields that their types do not know. */
export const listTypeFaults = (values: TypedValue[]): string[] => {
  const path = resolve('typed-values.ts');
  const text = values
    .map(
      ({ imports, type, value }, i) =>
        `${imports}\nexport const value${i}: Plain<${type}> = ${JSON.stringify(value)};\n`,
    )
    .join('');
  const options: ts.CompilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: true, types: [] },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, target, ...more) =>
    name === path
      ? ts.createSourceFile(name, `${PLAIN}${text}`, target)
      : getSourceFile(name, target, ...more);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([path], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};
