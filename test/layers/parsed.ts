import { posix } from "node:path";
import ts from "typescript";

export interface Parsed {
  path: string;
  file: ts.SourceFile;
}

/** Creates a checker that knows what each name in these files stands for. */
export function checkerOf(sources: readonly Parsed[]): ts.TypeChecker {
  const asts = new Map(sources.map(({ path, file }) => [path, file]));
  const resolve = (name: string, from: string) => posix.join(posix.dirname(from), name);
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (path) => asts.get(path),
    getCurrentDirectory: () => "",
    fileExists: (path) => asts.has(path),
    readFile: (path) => asts.get(path)?.text,
    resolveModuleNameLiterals: (names, from) =>
      names.map(({ text }) => {
        const resolvedFileName = resolve(text, from);
        const resolvedModule = { resolvedFileName, extension: ".ts", isExternalLibraryImport: false };
        return { resolvedModule: asts.has(resolvedFileName) ? resolvedModule : undefined };
      }),
  };
  const options = { noLib: true, types: [], target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext };
  return ts.createProgram([...asts.keys()], options, host).getTypeChecker();
}
