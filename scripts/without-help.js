import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)("typescript");

/** The methods of a declaration, and which of their arguments only help prints. */
const HELP_ARGUMENTS = { description: 0, option: 1, choice: 1 };
/** Returns the source of a command without its help, which the program prints from dist/words. */
export function withoutHelp(source) {
  const file = ts.createSourceFile("command.ts", source, ts.ScriptTarget.Latest, false);
  const cuts = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const text = node.arguments[HELP_ARGUMENTS[node.expression.name.text] ?? -1];
      // After the members of an array, nothing says which argument it is.
      if (text && isText(text) && !node.arguments.some(ts.isSpreadElement)) cuts.push([text.getStart(file), text.end]);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return cuts
    .sort(([one], [other]) => other - one)
    .reduce((code, [start, end]) => `${code.slice(0, start)}""${code.slice(end)}`, source);
}

function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}
