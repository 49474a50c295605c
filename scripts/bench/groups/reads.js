import { interleaved } from "../rounds.js";
import { serve, serveFromMemory } from "../server.js";
import { costRatio } from "../statistics.js";
import { count } from "../words.js";

const TRANSACTIONS = 10_000;
const RELAYERS = 100;

/** What other reads cost that people wait for. */
export async function reads(world) {
  const transactions = await serveFromMemory(world, `transactions:${TRANSACTIONS}`);
  const server = await serve(world, "--quiet", "--seed", `fleet:${RELAYERS}`);
  const onTransactions = 'RELAYCTL_SERVER="$TRANSACTIONS"';
  const lines = {
    node: { line: "node -e 0" },
    ndjson: { line: `${onTransactions} relayctl tx list eth-main-1 -o ndjson`, prints: TRANSACTIONS },
    table: { line: `${onTransactions} relayctl tx list eth-main-1 -o table` },
    status: { line: "relayctl relayers status" },
  };
  const env = { ...server.env, TRANSACTIONS: transactions.env.RELAYCTL_SERVER };
  const runs = await interleaved(world, lines, { rounds: world.plan.shortRounds, env });
  await Promise.all([transactions.stop(), server.stop()]);
  const { node, ndjson, table, status } = runs;
  return {
    runs,
    rows: [
      { what: `\`tx list\` of ${count(TRANSACTIONS)}, NDJSON / \`node -e 0\``, ...costRatio(ndjson, node) },
      { what: "the same as a table", ...costRatio(table, node) },
      { what: `\`relayers status\` of ${RELAYERS} / \`node -e 0\``, ...costRatio(status, node) },
    ],
  };
}
