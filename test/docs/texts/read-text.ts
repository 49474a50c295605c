import ts from "typescript";
import { callableOf, type Sources, unwrapped } from "./sources.ts";

export interface Reading {
  /** Every text, with values as `{name}`. */
  texts: string[];
  /** Parameters that are printed: the texts are at the calls of their functions. */
  parameters: ts.ParameterDeclaration[];
  /** Expressions whose text only a run can show. */
  computed: ts.Node[];
}

/** Reads the texts of expressions, following constants, choices, tables, and calls of the program's own functions. */
export class TextReader {
  /** Every literal that was read. */
  readonly seen = new Set<ts.Node>();
  private readonly sources: Sources;
  private readonly open = new Set<ts.Node>();

  constructor(sources: Sources) {
    this.sources = sources;
  }

  read(node: ts.Node): Reading {
    const reading: Reading = { texts: [], parameters: [], computed: [] };
    this.into(node, reading);
    return reading;
  }

  private into(start: ts.Node, reading: Reading): void {
    const node = ts.isExpression(start) ? unwrapped(start) : start;
    if (this.open.has(node)) return;
    this.open.add(node);
    if (isNothing(node)) this.open.delete(node);
    else {
      const text = this.textOf(node);
      if (text !== undefined) reading.texts.push(text);
      else {
        const parts = this.partsOf(node, reading);
        if (parts) for (const part of parts) this.into(part, reading);
        else reading.computed.push(node);
      }
      this.open.delete(node);
    }
  }

  /** Returns the text of a literal, a template, or a sum of them. */
  private textOf(node: ts.Node): string | undefined {
    if (ts.isStringLiteralLike(node)) {
      this.seen.add(node);
      return node.text;
    }
    if (ts.isTemplateExpression(node)) {
      this.seen.add(node);
      const spans = node.templateSpans.map(({ expression, literal }) => this.inner(expression) + literal.text);
      return node.head.text + spans.join("");
    }
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
    this.seen.add(node);
    return this.inner(node.left) + this.inner(node.right);
  }

  /** A value within a text: `{id}`, or the choices `{one|other}` if they are texts. */
  private inner(expression: ts.Expression): string {
    const node = unwrapped(expression);
    const text = this.textOf(node);
    if (text !== undefined) return text;
    if (ts.isConditionalExpression(node)) {
      const [yes, no] = [this.inner(node.whenTrue), this.inner(node.whenFalse)];
      const plain = (part: string) => part.replace(/^\{([^{}]*)\}$/, "$1");
      return `{${plain(yes)}|${plain(no)}}`;
    }
    return `{${nameOf(node)}}`;
  }

  /** Returns the expressions that one stands for; undefined if only a run can show them. */
  private partsOf(node: ts.Node, reading: Reading): readonly ts.Node[] | undefined {
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
    if (ts.isBinaryExpression(node)) return CHOICES.has(node.operatorToken.kind) ? choicesOf(node) : undefined;
    if (ts.isArrayLiteralExpression(node)) return node.elements;
    if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) return [node.expression];
    if (ts.isObjectLiteralExpression(node)) return node.properties;
    if (ts.isPropertyAssignment(node)) return [node.initializer];
    if (ts.isShorthandPropertyAssignment(node)) return this.declared(node.name, reading);
    if (ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression))
      return this.declared(node.expression, reading);
    if (ts.isIdentifier(node)) return this.declared(node, reading);
    if (ts.isFunctionLike(node)) return returnsOf(node as ts.FunctionLikeDeclaration);
    return ts.isCallExpression(node) ? this.called(node) : undefined;
  }

  private declared(name: ts.Identifier, reading: Reading): readonly ts.Node[] | undefined {
    const declaration = this.sources.declarationOf(name);
    if (declaration === undefined) return undefined;
    if (ts.isParameter(declaration)) {
      reading.parameters.push(declaration);
      return [];
    }
    return ts.isVariableDeclaration(declaration) && declaration.initializer ? [declaration.initializer] : undefined;
  }

  private called(node: ts.CallExpression): readonly ts.Node[] | undefined {
    const callee = callableOf(this.sources.calleeOf(node));
    const name = callee?.name?.getText() ?? "";
    if (WAYS_THROUGH.has(name)) return node.arguments;
    if (callee && !ts.isClassLike(callee)) return COMMANDS.has(name) ? [] : returnsOf(callee);
    if (!ts.isPropertyAccessExpression(node.expression)) return undefined;
    const method = node.expression.name.text;
    if (method === "join" || method === "filter") return [node.expression.expression];
    return method === "map" || method === "flatMap" ? node.arguments.slice(0, 1) : undefined;
  }
}

/** Functions that return what they are called with, or what a function does that they are called with. */
const WAYS_THROUGH = new Set(["rescue", "ifReadable", "ifFound", "ifRouted", "workUnder"]);

/** Functions that return a command to paste. */
const COMMANDS = new Set(["commandLine", "repeatedCommand"]);

const CHOICES = new Set([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);

function choicesOf({ left, operatorToken, right }: ts.BinaryExpression): ts.Node[] {
  return operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ? [right] : [left, right];
}

/** Returns the texts of a function's branches, without the texts of functions within it. */
function returnsOf(callee: ts.FunctionLikeDeclaration): ts.Node[] | undefined {
  if (!callee.body) return undefined;
  if (!ts.isBlock(callee.body)) return [callee.body];
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(callee.body);
  return found;
}

function isNothing(node: ts.Node): boolean {
  return (
    node.kind === ts.SyntaxKind.NullKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    (ts.isIdentifier(node) && node.text === "undefined") ||
    ts.isNumericLiteral(node)
  );
}

/** `message` of `error.message`, `groupDigits()` of `groupDigits(read)`. */
export function nameOf(node: ts.Node): string {
  if (ts.isCallExpression(node)) return `${nameOf(node.expression)}()`;
  if (ts.isParameter(node)) return nameOf(node.name);
  if (ts.isPropertyAccessExpression(node) && !ts.isIdentifier(node.expression)) return node.name.text;
  const text = node.getText().replaceAll(/\s+/g, " ");
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
