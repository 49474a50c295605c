/** A node of a JMESPath syntax tree, as far as it is looked at here. */
export type SyntaxNode = Readonly<Record<string, unknown>>;

/** The nodes inside a node. The value of a literal is data, not a node. */
export function nodesIn(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "Literal") return [];
  return Object.values(node).flat().filter(isNode);
}

/** Whether a node or one inside it is what is looked for. */
export function someNode(node: SyntaxNode, is: (node: SyntaxNode) => boolean): boolean {
  return is(node) || nodesIn(node).some((inner) => someNode(inner, is));
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
