import ts from "typescript";

const MUTATORS = /^(?:abort|add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)$/;
const MUTATING_CALL = /^(?:Object\.(?:assign|define|setPrototypeOf)|Reflect\.(?:set|define|delete))/;

/** The variable, or with a kind given the keyword, whose value a node changes. */
export function changedBy(node: ts.Node, kind = ts.SyntaxKind.Identifier): ts.Expression | undefined {
  const changed = targetOf(node);
  const root = changed && rootOf(changed);
  return root?.kind === kind ? root : undefined;
}

function targetOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node)) return isAssignment(node.operatorToken.kind) ? node.left : undefined;
  if (ts.isDeleteExpression(node)) return node.expression;
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken
      ? node.operand
      : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  if (MUTATING_CALL.test(node.expression.getText())) return node.arguments[0];
  const callee = node.expression;
  return ts.isPropertyAccessExpression(callee) && MUTATORS.test(callee.name.text) ? callee.expression : undefined;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** An expression without parentheses, `as`, `satisfies`, and `!` around it. */
export function bare(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isWrapped ? bare(node.expression) : node;
}

function rootOf(node: ts.Expression): ts.Expression {
  const inner = bare(node);
  return ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner) ? rootOf(inner.expression) : inner;
}

export function functionAround(node: ts.Node): ts.SignatureDeclaration | undefined {
  return ts.findAncestor(node.parent, ts.isFunctionLike);
}

/** Whether a call gives a value that is kept: returned, or in a variable. */
export function isResult(call: ts.Node): boolean {
  return !ts.isExpressionStatement(call.parent) && !ts.isAwaitExpression(call.parent);
}

/** What runs while a file is loaded: an expression without the functions in it. */
export function atLoad(node: ts.Node): ts.Node[] {
  return ts.isFunctionLike(node) ? [] : [node, ...childrenOf(node).flatMap(atLoad)];
}

export function descendants(node: ts.Node): ts.Node[] {
  const all: ts.Node[] = [node];
  for (const each of all) all.push(...childrenOf(each));
  return all;
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}
