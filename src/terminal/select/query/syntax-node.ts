/** A node of a JMESPath syntax tree, as far as it is read here. */
export type SyntaxNode = Readonly<Record<string, unknown>>;

/** Returns the child nodes. The value of a literal is data, not a node. */
function nodesIn(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "Literal") return [];
  return Object.values(node).flat().filter(isNode);
}

/** Returns whether a node or a descendant matches. */
export function someNode(node: SyntaxNode, is: (node: SyntaxNode) => boolean): boolean {
  return is(node) || nodesIn(node).some((inner) => someNode(inner, is));
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
