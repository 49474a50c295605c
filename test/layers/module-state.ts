import { posix } from "node:path";
import ts from "typescript";
import { atLoad, bare, changedBy, descendants, functionAround, isResult } from "./changes.ts";

interface Parsed {
  path: string;
  file: ts.SourceFile;
}

/** Creates a checker that knows what each name in these files stands for. */
function checkerOf(sources: readonly Parsed[]): ts.TypeChecker {
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

const CONTAINER = /^(?:Map|Set|WeakMap|WeakSet)$/;
const ARRAY = /^(?:Array|Buffer|ArrayBuffer|DataView|(?:Big)?(?:Ui|I)nt\d+(?:Clamped)?Array|Float\d+Array)$/;
/** The kinds of nodes that can change a variable, or make something that remembers. */
const CHANGING_OR_CALLING = new Set([
  ...[ts.SyntaxKind.BinaryExpression, ts.SyntaxKind.DeleteExpression, ts.SyntaxKind.PrefixUnaryExpression],
  ...[ts.SyntaxKind.PostfixUnaryExpression, ts.SyntaxKind.CallExpression, ts.SyntaxKind.NewExpression],
]);

/**
 * Returns the state that files keep at module level: `let`, empty containers, whatever a function changes, expressions with
 * `lastIndex`, and memoized results. Changes while a file is loaded don't count.
 */
export function stateIn(sources: readonly Parsed[]): string[] {
  const checker = checkerOf(sources);
  const nodes = sources.flatMap(({ file }) => descendants(file)).filter(({ kind }) => CHANGING_OR_CALLING.has(kind));
  const changes = nodes.flatMap((node) => {
    const declaration = declarationOf(changedBy(node)) ?? searched(node);
    return declaration ? [{ node, declaration }] : [];
  });
  const remembering = rememberingFunctions();
  const kept = sources.flatMap(({ path, file }) =>
    file.statements.flatMap(declaredIn).flatMap(([name, why]) => `src/${path}: ${name} ${why}`),
  );
  const changed = changes
    .filter(({ node, declaration }) => functionAround(node) && !functionAround(declaration))
    .map(({ declaration }) => `src/${declaration.getSourceFile().fileName}: ${nameOf(declaration)} is changed`);
  return [...new Set([...kept, ...changed])].sort();

  function declaredIn(statement: ts.Statement): [string, string][] {
    if (ts.isClassDeclaration(statement))
      return statement.members
        .filter(isStaticVariable)
        .map((member) => [member.name.getText(), "is a static variable"]);
    if (!ts.isVariableStatement(statement)) return [];
    const { declarations, flags } = statement.declarationList;
    return declarations.flatMap(({ name, initializer }): [string, string][] => {
      if (!(flags & ts.NodeFlags.Const)) return [[name.getText(), "is declared with let or var"]];
      return (initializer ? atLoad(initializer) : []).flatMap((node) => {
        if (isEmptyContainer(node) && !isFilledAtLoad(name)) return [[name.getText(), "is an empty container"]];
        const made = ts.isCallExpression(node) || ts.isNewExpression(node) ? calledBy(node) : undefined;
        return made && remembering.has(made) ? [[name.getText(), "remembers"]] : [];
      });
    });
  }

  /** An empty list that is a field counts if its type says that it may be changed. */
  function isEmptyContainer(node: ts.Node): boolean {
    if (ts.isArrayLiteralExpression(node) && node.elements.length === 0)
      return ts.isPropertyAssignment(node.parent) ? isMutable(node.parent) : isWhole(node);
    if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0 && isWhole(node);
    if (!ts.isNewExpression(node)) return false;
    const [first] = node.arguments ?? [];
    const name = node.expression.getText();
    return (
      (CONTAINER.test(name) && !first) || (ARRAY.test(name) && first && !ts.isArrayLiteralExpression(first)) === true
    );
  }

  function isMutable({ parent, name }: ts.PropertyAssignment): boolean {
    const field = checker.getContextualType(parent)?.getProperty(name.getText())?.valueDeclaration;
    return field !== undefined && ts.isPropertySignature(field) && !!field.type && ts.isArrayTypeNode(field.type);
  }

  function isFilledAtLoad(name: ts.Node): boolean {
    return changes.some(({ node, declaration }) => declaration === name.parent && !functionAround(node));
  }

  /** A regular expression with the flag `g` or `y` remembers where it found something. */
  function searched(node: ts.Node): ts.Declaration | undefined {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    if (!/^(?:exec|test)$/.test(node.expression.name.text)) return undefined;
    const declaration = declarationOf(node.expression.expression);
    const made = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer?.getText() : undefined;
    return made && /^(?:\/.*\/|new RegExp\(.*")[a-z]*[gy][a-z]*(?:",?\s*\))?$/s.test(made) ? declaration : undefined;
  }

  function declarationOf(node: ts.Expression | undefined): ts.Declaration | undefined {
    const symbol = node && ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const own = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return own?.valueDeclaration;
  }

  function calledBy({ expression }: ts.CallExpression | ts.NewExpression): ts.Node | undefined {
    const callee = bare(expression);
    if (ts.isFunctionLike(callee)) return callee;
    const declaration = declarationOf(callee);
    return declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  }

  /** Functions in which an inner function changes a variable of theirs, classes whose methods change a field, and what calls such. */
  function rememberingFunctions(): ReadonlySet<ts.Node> {
    const found = new Set<ts.Node>([...changes.flatMap(ownerOf), ...nodes.flatMap(classChangedBy)]);
    const calls = nodes.filter((node) => ts.isCallExpression(node) || ts.isNewExpression(node));
    const made = calls.flatMap((call) => {
      const [caller, callee] = [functionAround(call), calledBy(call)];
      return caller && callee && isResult(call) ? [{ caller, callee }] : [];
    });
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      for (const { caller, callee } of made) if (found.has(callee)) found.add(caller);
    }
    return found;
  }
}

/** The function of a variable that a function within it changes. */
function ownerOf({ node, declaration }: { node: ts.Node; declaration: ts.Declaration }): ts.Node[] {
  const owner = functionAround(declaration);
  return owner && functionAround(node) !== owner && !ts.isParameter(declaration) ? [owner] : [];
}

function classChangedBy(node: ts.Node): ts.Node[] {
  const method = changedBy(node, ts.SyntaxKind.ThisKeyword) && functionAround(node);
  return method && ts.isClassLike(method.parent) && !ts.isConstructorDeclaration(method) ? [method.parent] : [];
}

function isWhole(node: ts.Node): boolean {
  return ts.isVariableDeclaration(node.parent) || ts.isAsExpression(node.parent);
}

function isStaticVariable(member: ts.ClassElement): member is ts.PropertyDeclaration {
  const flags = ts.getCombinedModifierFlags(member);
  return (
    ts.isPropertyDeclaration(member) && !!(flags & ts.ModifierFlags.Static) && !(flags & ts.ModifierFlags.Readonly)
  );
}

function nameOf(declaration: ts.Declaration): string {
  return ts.getNameOfDeclaration(declaration)?.getText() ?? "?";
}
