import ts from "typescript";
import { textOf } from "./texts-in-source.ts";

const RUNNERS = ["describe", "it", "test"];

/** Returns the titles of the tests and groups in a TypeScript source, without the data in quotation marks. */
export function titlesIn(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const title = titleOf(node);
    if (title !== undefined) titles.push(title.replaceAll(/"[^"]*"/g, '"…"'));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest));
  return titles;
}

function titleOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !RUNNERS.includes(runnerOf(node.expression))) return undefined;
  const [title] = node.arguments;
  return title && textOf(title);
}

/** Returns the function that a call such as `test.skipIf(…).each(…)(…)` starts from. */
function runnerOf(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return runnerOf(callee.expression);
  return ts.isIdentifier(callee) ? callee.text : "";
}
