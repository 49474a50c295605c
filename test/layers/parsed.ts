import { posix } from "node:path";
import ts from "typescript";

/** Texts of files by their paths below `src`. */
export type Files = Readonly<Record<string, string>>;

/** Parses files, with a checker that knows what each name in them stands for. */
export function parsed(files: Files): { sources: { path: string; file: ts.SourceFile }[]; checker: ts.TypeChecker } {
  const asts = new Map(
    Object.entries(files).map(([path, text]) => [path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)]),
  );
  const resolve = (name: string, from: string) => posix.join(posix.dirname(from), name);
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (path) => asts.get(path),
    getCurrentDirectory: () => "",
    fileExists: (path) => asts.has(path),
    readFile: (path) => files[path],
    resolveModuleNameLiterals: (names, from) =>
      names.map(({ text }) => {
        const resolvedFileName = resolve(text, from);
        const resolvedModule = { resolvedFileName, extension: ".ts", isExternalLibraryImport: false };
        return { resolvedModule: asts.has(resolvedFileName) ? resolvedModule : undefined };
      }),
  };
  const options = { noLib: true, types: [], target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext };
  const checker = ts.createProgram(Object.keys(files), options, host).getTypeChecker();
  return { sources: [...asts].map(([path, file]) => ({ path, file })), checker };
}
