import ts from "typescript";

/** Returns the comments of a TypeScript source, as they stand there. */
export function commentsIn(source: string): string[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest);
  let [code, end] = ["", 0];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      code += source.slice(end, node.getStart(file)) + "_".repeat(node.getWidth(file));
      end = node.end;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return (code + source.slice(end)).match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? [];
}
