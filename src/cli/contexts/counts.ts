import type { BulkCounts } from "../../client/bulk-counts.ts";
import type { Call } from "../../command-support/call.ts";

/** Returns a function for each of several contexts that counts its operations, of which the sum is shown. */
export function countTogether({ count }: Pick<Call, "count">): () => Call["count"] {
  const all = new Set<BulkCounts>();
  const open = new Set<BulkCounts>();
  const sumOf = (member: "of" | "done" | "failed") => [...all].reduce((sum, counts) => sum + counts[member], 0);
  return () => {
    let own: BulkCounts | undefined;
    return (counts) => {
      if (own) open.delete(own);
      own = counts;
      if (counts) {
        all.add(counts);
        open.add(counts);
      }
      const [first] = all;
      // The counts go on, so that they are added up when they are drawn.
      const sum = first && {
        ...first,
        get of() {
          return sumOf("of");
        },
        get done() {
          return sumOf("done");
        },
        get failed() {
          return sumOf("failed");
        },
      };
      count(open.size === 0 ? undefined : sum);
    };
  };
}
