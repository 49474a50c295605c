import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { ROOT } from "../documents.ts";

export type Callable = ts.FunctionLikeDeclaration | ts.ClassLikeDeclaration;

/** The parsed sources of the program, and where each name in them is declared. */
export class Sources {
  readonly nodes: ts.Node[] = [];
  /** By their paths, as they were given. */
  readonly files = new Map<string, ts.SourceFile>();
  private readonly names = new Map<string, ReadonlyMap<string, ts.Node>>();
  private readonly scopes = new Map<ts.Node, ReadonlyMap<string, ts.Node>>();

  constructor(texts: ReadonlyMap<string, string>) {
    for (const [path, text] of texts) {
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      this.files.set(path, file);
      this.names.set(path, byName(file.statements.flatMap(declarationsOf)));
      const visit = (node: ts.Node): void => {
        this.nodes.push(node);
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
  }

  /** Returns what declares the name at this place: a variable, a parameter, a function, a class, or nothing that is known. */
  declarationOf(name: ts.Identifier): ts.Node | undefined {
    for (let scope: ts.Node = name; scope.parent !== undefined; scope = scope.parent) {
      const found = this.namesIn(scope).get(name.text);
      if (found) return found;
    }
    return this.exported(name.getSourceFile().fileName, name.text);
  }

  /** Returns the function or class that a call or `new` names. */
  calleeOf({ expression }: ts.CallExpression | ts.NewExpression): Callable | undefined {
    if (!ts.isIdentifier(expression)) return undefined;
    return callableOf(this.declarationOf(expression));
  }

  private namesIn(scope: ts.Node): ReadonlyMap<string, ts.Node> {
    const names = this.scopes.get(scope) ?? byName(declaredIn(scope));
    this.scopes.set(scope, names);
    return names;
  }

  private exported(path: string, name: string): ts.Node | undefined {
    const found = this.names.get(path)?.get(name);
    if (!found || !ts.isImportSpecifier(found)) return found;
    const from = found.parent.parent.parent.moduleSpecifier;
    if (!ts.isStringLiteral(from) || !from.text.startsWith(".")) return undefined;
    return this.exported(join(dirname(path), from.text), (found.propertyName ?? found.name).text);
  }
}

export function programSources(): Sources {
  const paths = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const sources = paths.filter((path) => path.endsWith(".ts")).sort();
  return new Sources(new Map(sources.map((path) => [`src/${path}`, readFileSync(join(ROOT, "src", path), "utf8")])));
}

/** Returns an expression without `await`, parentheses, and types. */
export function unwrapped(node: ts.Expression): ts.Expression {
  const isWrapper =
    ts.isAwaitExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isWrapper ? unwrapped(node.expression) : node;
}

export function callableOf(node: ts.Node | undefined): Callable | undefined {
  if (node === undefined) return undefined;
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return node as Callable;
  if (!ts.isVariableDeclaration(node) || !node.initializer) return undefined;
  const value = unwrapped(node.initializer);
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value) ? value : undefined;
}

type Named = ts.Node & { name?: ts.Node | undefined };

function declarationsOf(statement: ts.Node): Named[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(bound);
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    return bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
  }
  return ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ? [statement] : [];
}

/** Returns the names that a declaration binds, also within `{ a, b: [c] }`. */
function bound(declaration: ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement): Named[] {
  if (ts.isIdentifier(declaration.name)) return [declaration];
  return declaration.name.elements.flatMap((each) => (ts.isBindingElement(each) ? bound(each) : []));
}

function declaredIn(scope: ts.Node): Named[] {
  if (ts.isFunctionLike(scope)) return scope.parameters.flatMap(bound);
  if (ts.isBlock(scope)) return scope.statements.flatMap(declarationsOf);
  if (ts.isForOfStatement(scope) && ts.isVariableDeclarationList(scope.initializer))
    return scope.initializer.declarations.flatMap(bound);
  return [];
}

function byName(declarations: readonly Named[]): ReadonlyMap<string, ts.Node> {
  return new Map(
    declarations.flatMap((each) => (each.name && ts.isIdentifier(each.name) ? [[each.name.text, each]] : [])),
  );
}
