import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)("typescript");

/** The methods of a declaration, and which of their arguments only help prints. */
const HELP_ARGUMENTS = { description: 0, option: 1, choice: 1 };
/** The members of a command that only help prints, and what stands for them. */
const HELP_MEMBERS = { summary: '""', description: '""' };

/** Returns the source of a command without its help, which the program prints from dist/words. */
export function withoutHelp(source) {
  const file = ts.createSourceFile("command.ts", source, ts.ScriptTarget.Latest, true);
  const cuts = [];
  const cut = (node, by) => cuts.push([node.getStart(file), node.end, by]);
  const cutMember = ({ name, initializer }) => {
    const by = initializer && HELP_MEMBERS[name?.text];
    if (by) cut(initializer, by);
  };
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const text = node.arguments[HELP_ARGUMENTS[node.expression.name.text] ?? -1];
      // After the members of an array, nothing says which argument it is.
      if (text && isText(text) && !node.arguments.some(ts.isSpreadElement)) cut(text, '""');
    }
    if (isCommand(node)) for (const member of node.properties) cutMember(member);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return cuts
    .sort(([one], [other]) => other - one)
    .reduce((code, [start, end, by]) => code.slice(0, start) + by + code.slice(end), source);
}

/** What creates a command, or a command of a kind, from an object. */
const CREATORS = /^(?:(?:create|get|list|delete|sign|sponsored)Command|setPaused)$/;

/** Returns whether an object is what a command is created from, or is of that type. */
function isCommand(node) {
  if (!ts.isObjectLiteralExpression(node)) return false;
  const { parent } = node;
  if (ts.isCallExpression(parent)) return CREATORS.test(parent.expression.text) && parent.arguments.includes(node);
  return ts.isVariableDeclaration(parent) && parent.type?.typeName?.text === "CommandFile";
}

function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}
