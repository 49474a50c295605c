/** The lines about a node that was set, for stderr. */
export interface NodeWords {
  responds(chain: string): string;
  isElsewhere(chain: string, expected: string): string;
  isSilent(why: string): string;
  isUnreadable(why: string): string;
  unchecked(why: string): string;
}

/** Returns the lines for a number of new RPC URLs; 0 means that those of the network are used. */
export function nodeWords(count: number): NodeWords {
  const node = count === 0 ? "the node of the network" : "the new node";
  // The service chooses one of several nodes for each request, and tries the others if that one fails.
  const one = count > 1 ? `one of the ${count} new nodes` : node;
  return {
    responds: (chain) => `note: ${one} responds, on ${chain}`,
    isElsewhere: (chain, expected) => `warning: ${one} is on ${chain}, but ${expected}`,
    isSilent: (why) => `warning: ${count > 1 ? "the new nodes do" : `${node} does`} not respond: ${why}`,
    isUnreadable: (why) => `warning: ${one} does not respond as a node does: ${why}`,
    unchecked: (why) => `note: ${count > 1 ? "the new nodes were" : `${node} was`} not checked: ${why}`,
  };
}
