/** Functions that pass values through, count them, or only read texts; every other function reads numbers. */
const PASSING = new Set([
  ..."contains ends_with find_first find_last from_items group_by items join keys length lower map merge not_null".split(
    " ",
  ),
  ..."pad_left pad_right replace reverse split starts_with to_array trim trim_left trim_right upper values zip".split(
    " ",
  ),
]);

/** A node of a JMESPath syntax tree, as far as it is read here. */
export type SyntaxNode = Readonly<Record<string, unknown>>;

/**
 * Returns whether an expression compares or computes in a way that a rounded number could change. Equality with a text,
 * a boolean, or null cannot: no number equals one of them.
 */
export function computes(expression: SyntaxNode): boolean {
  return someNode(expression, (node) => {
    if (node.type === "Comparator") return !comparesWithWord(node);
    if (node.type === "Function") return !PASSING.has(String(node.name));
    return node.type === "Arithmetic" || node.type === "Unary";
  });
}

function comparesWithWord(node: SyntaxNode): boolean {
  return (node.name === "EQ" || node.name === "NE") && [node.left, node.right].some(isWord);
}

function isWord(node: unknown): boolean {
  if (!isNode(node) || node.type !== "Literal") return false;
  return node.value === null || typeof node.value === "string" || typeof node.value === "boolean";
}

/** Returns whether an expression converts texts to numbers, which rounds long ones. */
export function readsNumbers(expression: SyntaxNode): boolean {
  return someNode(expression, (node) => node.type === "Function" && node.name === "to_number");
}

/** Returns whether a literal is an integer that the library has rounded, or may have. */
export function holdsLargeLiteral(expression: SyntaxNode): boolean {
  return someNode(expression, (node) => node.type === "Literal" && isLarge(node.value));
}

function isLarge(value: unknown): boolean {
  if (typeof value === "number") return isRounded(value);
  return typeof value === "object" && value !== null && Object.values(value).some(isLarge);
}

/** Returns whether a JavaScript number represents an integer above 2^53, or is not finite. */
export function isRounded(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

/** Returns the child nodes. The value of a literal is data, not a node. */
function nodesIn(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "Literal") return [];
  return Object.values(node).flat().filter(isNode);
}

/** Returns whether a node or a descendant matches. */
function someNode(node: SyntaxNode, is: (node: SyntaxNode) => boolean): boolean {
  return is(node) || nodesIn(node).some((inner) => someNode(inner, is));
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
