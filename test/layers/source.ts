import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";

/** One file of `src`, as the rules about its structure see it. */
export interface Source {
  /** Below src, with slashes: `client/attempt/send.ts`. */
  path: string;
  text: string;
  file: ts.SourceFile;
  /** Every function with a body, those in others too; one without a name is called after its line. */
  functions: readonly { name: string; lines: number }[];
  /** Files of src that it imports, by their paths below src; types and what is loaded when used count too. */
  imports: readonly string[];
  /** Libraries and modules of Node that it imports, by the package's name. */
  libraries: readonly string[];
  /** Relative imports as they are written. */
  written: readonly string[];
  /** Global names that it uses, with one member where one is read: `process`, `Date.now`. */
  globals: ReadonlySet<string>;
}

const ROOT = join(import.meta.dirname, "../../src");

export function readSources(): Source[] {
  const paths = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  return paths
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map(readSource);
}

function readSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), "utf8");
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const written = specifiers.filter((name) => /^\.(?!.*\?raw$)/.test(name));
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return {
    path,
    text,
    file,
    functions: functionsIn(file),
    written,
    imports: written.map((name) => posix.join(posix.dirname(path), name)),
    libraries: [...new Set(specifiers.filter((name) => !name.startsWith(".")).map(packageOf))],
    globals: globalsOf(file),
  };
}

function functionsIn(file: ts.SourceFile): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = [];
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const [first, last] = [lineOf(node.getStart()), lineOf(node.end)];
      found.push({ name: node.name?.getText() ?? `line ${first}`, lines: last - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `@noble/hashes/sha3.js` is of `@noble/hashes`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Returns global names, with one member where one is read; imported names count too. */
export function globalsOf(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isFieldName(node)) names.add(node.text);
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
      names.add(`${node.expression.text}.${node.name.text}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function isFieldName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name === node;
  return ts.isPropertySignature(parent) || ts.isMethodSignature(parent) || ts.isPropertyDeclaration(parent);
}
