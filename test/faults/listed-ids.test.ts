import { isJsonObject, type JsonValue, parseJson, writeJson } from "../../src/contract/json.ts";
import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import { cli, inProd } from "../helpers/cli.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { testServer } from "../helpers/service/test-server.ts";

/** IDs that no path of a request can have, as a service or a proxy may list them. */
const IDS = ["", ".", "..", "a/b", "\u0007", "\ud800", "true"];

const LINES = [
  ...["pause", "resume"].map((verb) => `relayers ${verb} --where network_type=evm --yes`),
  "relayers update --where network_type=evm --policy gas_price_cap=70gwei --yes",
  "relayers update --where network_type=evm --policy gas_price_cap=70gwei --dry-run",
  "relayers freeze --where network_type=evm --dry-run",
  ...[
    "relayers unstick eth-main-1 --dry-run",
    "tx cancel-pending eth-main-1 --dry-run",
    "relayers freeze eth-main-1 --dry-run",
  ],
  ...["relayers freeze eth-main-1 --yes", "relayers unstick eth-main-1 --yes", "tx cancel-pending eth-main-1 --yes"],
  ...["relayers delete eth-main-1 --yes", "doctor", "tx stuck", "tx list", "relayers status", "find eth-main-1"],
];

function withIds(reply: WireReply, id: string): WireReply {
  if (!/json/.test(reply.headers["content-type"] ?? "")) return reply;
  const json: JsonValue = parseJson(new TextDecoder().decode(reply.body));
  if (!isJsonObject(json) || !Array.isArray(json.data)) return reply;
  const data = json.data.map((item) => (isJsonObject(item) && "id" in item ? { ...item, id } : item));
  return { ...reply, body: new TextEncoder().encode(writeJson({ ...json, data })) };
}

test.each(LINES)("%s copes with listed IDs that no request can have", async (line) => {
  for (const id of IDS) {
    const server = testServer({ clock: manualClock() });
    const service = async (request: WireRequest) => withIds(await server(request), id);
    const { exitCode, stderr } = await cli(line, { ...inProd(), clock: manualClock(), service, isMalformed: true });
    expect.soft(exitCode, JSON.stringify(id)).not.toBe(1);
    expect.soft(stderr, JSON.stringify(id)).not.toMatch(/a bug in relayctl/);
  }
});
