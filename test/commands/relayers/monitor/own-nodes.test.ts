import { cli, TOKEN, type World } from "../../../helpers/cli.ts";
import { tokenService } from "../../../helpers/erc20-service.ts";

const NODE = "http://127.0.0.1:8545";
const LINES = {
  runway: "--fields relayer.id,runway",
  spends: "--fields relayer.id,spend_1d",
  drift: "--check --warn nonce_drift>5",
};

/** The node has the accounts of every chain, whatever its chain ID is. */
async function status(what: keyof typeof LINES, url: string, chain = "0x2105") {
  const asked: string[] = [];
  const node = tokenService({ chain: () => chain });
  const nodes: World["nodes"] = {
    [NODE]: async (request, limits) => {
      asked.push(JSON.parse(request.body ?? "{}").method);
      return await node(request, limits);
    },
  };
  const contexts = { prod: { server: "https://prod.example", token: TOKEN } };
  const config = { version: 1 as const, current: "prod", contexts };
  const world: World = { nodes, config, env: { RELAYCTL_NODE_BASE: url }, service: tokenService({}) };
  const ran = await cli(`relayers status base-hot ${LINES[what]} -o ndjson`, world);
  return { ...ran, asked, found: JSON.parse(ran.stdout) };
}

test.each(["runway", "spends", "drift"] as const)("on the wrong chain shows nothing of a relayer: %s", async (what) => {
  const { found, stderr, asked } = await status(what, NODE, "0xa");
  expect(asked).toEqual(["eth_chainId"]);
  if (what !== "drift") expect(Object.values(found)[1]).toBeNull();
  expect(stderr).toContain("is on chain 10, the network is chain 8453");
});

test.each(["runway", "spends", "drift"] as const)("with an invalid URL is reported: %s", async (what) => {
  const { found, stderr } = await status(what, "nonsense");
  expect(stderr).toContain("RELAYCTL_NODE_BASE");
  if (what !== "drift") expect(Object.values(found)[1]).toBeNull();
});

test("on the network's chain is asked", async () => {
  const { stderr, asked } = await status("drift", NODE);
  expect(asked.slice(0, 2)).toEqual(["eth_chainId", "eth_getTransactionCount"]);
  expect(stderr).not.toContain("is on chain");
});
