import ts from "typescript";
import type { Callable } from "./sources.ts";

/** An expression that is printed, and the heading of its texts. */
export interface Printed {
  heading: string;
  node: ts.Node;
}

export const RULES = "Rules: what is wrong with a value, after its flag, file, or field";
export const REASONS = "Further lines of an error";
export const HINTS = "Hints: the command to run next";
export const NOTES = "Notes, warnings, and receipts on stderr";
const RESPONSES = "Responses of the embedded server";

/** Classes of errors whose text is the argument at this position. */
const CLASSES: ReadonlyMap<string, readonly [position: number, heading: string]> = new Map([
  ["AmountError", [0, RULES]],
  ["JsonSyntaxError", [0, RULES]],
  ["RuleError", [0, RULES]],
  ["StateError", [0, RULES]],
  ["TransportFailure", [1, "Causes of a failed connection"]],
  ["Refusal", [1, RESPONSES]],
  ["ShapeError", [0, RESPONSES]],
]);

/** Methods whose argument at this position is printed. */
const METHODS: ReadonlyMap<string, readonly [position: number, heading: string]> = new Map([
  ["problems.add", [1, RULES]],
  ["say", [0, NOTES]],
  ["note", [0, NOTES]],
]);

const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ["because", REASONS],
  ["hint", HINTS],
  ["rule", RULES],
]);

/** Properties of zod checks; elsewhere the names mean other things. */
const CHECKS: ReadonlySet<string> = new Set(["error", "message"]);

/** Returns what is printed of this node itself. */
export function printedAt(node: ts.Node): Printed[] {
  if (ts.isNewExpression(node)) return ofClass(node);
  if (ts.isCallExpression(node)) return ofCall(node);
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return [];
  const value = ts.isPropertyAssignment(node) ? node.initializer : node.name;
  const heading = headingOf(node.name.getText(), node.getSourceFile().fileName);
  return heading === undefined ? [] : [{ heading, node: value }];
}

function headingOf(name: string, file: string): string | undefined {
  if (CHECKS.has(name) && file.startsWith("src/contract/requests/")) return RULES;
  return PROPERTIES.get(name);
}

function ofClass({ expression, arguments: args = ts.factory.createNodeArray() }: ts.NewExpression): Printed[] {
  const name = expression.getText();
  if (name === "RelayctlError") return isMadeBy(MAKER, expression) ? [] : ofError(args);
  const [position, heading] = CLASSES.get(name) ?? [];
  const node = position === undefined ? undefined : args[position];
  return node && heading ? [{ heading, node }] : [];
}

function ofError([failure, message]: readonly ts.Expression[]): Printed[] {
  if (!failure || !message) return [];
  const code = ts.isStringLiteral(failure) ? failure.text : "the failure depends on the case";
  return [{ heading: `Errors: ${code}`, node: message }];
}

/** The function that makes an error of its two first arguments, in place of the class. */
const MAKER = "unsentError";

function isMadeBy(name: string, node: ts.Node): boolean {
  for (let at: ts.Node = node; at.parent !== undefined; at = at.parent)
    if (ts.isFunctionDeclaration(at)) return at.name?.text === name;
  return false;
}

function ofCall({ expression, arguments: args }: ts.CallExpression): Printed[] {
  if (calledName(expression) === MAKER) return ofError(args);
  const [position, heading] = METHODS.get(calledName(expression)) ?? [];
  const node = position === undefined ? undefined : args[position];
  return node && heading ? [{ heading, node }] : [];
}

/** `problems.add`, and the last name of any other call. */
function calledName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (!ts.isPropertyAccessExpression(expression)) return "";
  const of = ts.isIdentifier(expression.expression) ? expression.expression.text : "";
  return of === "problems" ? `${of}.${expression.name.text}` : expression.name.text;
}

/** Returns the position of a parameter in the calls of its function. */
export function positionOf(parameter: ts.ParameterDeclaration): { of: Callable; position: number } {
  const { parent } = parameter;
  const of = ts.isConstructorDeclaration(parent) ? parent.parent : parent;
  return { of: of as Callable, position: parent.parameters.indexOf(parameter) };
}

/** Whether a text is part of a help page, of an import, or of a pattern of types: no error and no note. */
export function isElsewhere(node: ts.Node): boolean {
  for (let at: ts.Node = node; at.parent !== undefined; at = at.parent) {
    if (ts.isImportDeclaration(at) || ts.isExportDeclaration(at) || ts.isTypeNode(at)) return true;
    if (ts.isCallExpression(at) && HELP_CALLS.has(calledName(at.expression))) return true;
    if (ts.isPropertyAssignment(at) && HELP_PROPERTIES.has(at.name.getText())) return true;
  }
  return false;
}

const HELP_CALLS: ReadonlySet<string> = new Set(["option", "argument", "addOption", "description", "summary"]);
const HELP_PROPERTIES: ReadonlySet<string> = new Set(["summary", "description", "examples", "help", "flags"]);
