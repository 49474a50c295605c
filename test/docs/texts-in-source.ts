import ts from "typescript";

/**
 * Returns the texts of a TypeScript source: string literals with more than one word. Literals joined by `+` are one text,
 * and a value within a template is `…`.
 */
export function textsIn(source: ts.SourceFile): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text?.includes(" ")) texts.push(text);
    ts.forEachChild(node, (child) => {
      if (text === undefined || !isLiteral(child)) visit(child);
    });
  };
  visit(source);
  return texts;
}

function isLiteral(node: ts.Node): boolean {
  return textOf(node) !== undefined || ts.isTemplateHead(node);
}

/** Returns the text of an expression if it is a text, with `…` for each value in it. */
export function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const parts = [textOf(node.left), textOf(node.right)];
  return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? "…").join("");
}
