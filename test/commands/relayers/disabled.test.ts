import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends, exits, inProd, printedError, says } from "../../helpers/cli.ts";
import { refusal, success, wholeList } from "../../helpers/service/reply.ts";

const AGAIN = "the service tries again by itself, about once a minute";
const URLS = "relayctl networks update evm:base --rpc-url URL";
const STATUS = "relayctl relayers status r1";

const multiple = (...types: readonly string[]) => ({ type: "Multiple", details: types.map((type) => ({ type })) });
const ALL = ["BalanceCheckFailed", "RpcValidationFailed", "NonceSyncFailed"];
const RPC = { type: "RpcValidationFailed", details: "RPC endpoint validation failed" };
const relayer = (reason: object | undefined, more: object = {}) => ({
  id: "r1",
  network: "base",
  network_type: "evm",
  address: "0xabc",
  paused: false,
  system_disabled: true,
  ...(reason && { disabled_reason: reason }),
  ...more,
});

/** Shows a relayer by its own route, and refuses everything that is not a read as a disabled one does. */
function refusing(shown: object, message = "Relayer is disabled", status = 400): Transport {
  return async ({ method, target }) => {
    if (method === "GET" && target === "/api/v1/relayers/r1") return success(shown);
    if (method === "GET" && target.startsWith("/api/v1/relayers?")) return wholeList([shown]);
    return refusal(status, message);
  };
}

async function refused(line: string, service: Transport) {
  const ran = await exits(6, `${line} -o json`, { service });
  const error = printedError(ran.stderr);
  return { ...error, hint: error.hint?.replace(" -o json", "") };
}

describe("the error for a disabled relayer has the reason, the outlook, and the command that helps", () => {
  test.each([
    ["its nodes fail", relayer(RPC), "RPC validation failed", AGAIN, URLS],
    ["all checks failed along with its nodes", relayer(multiple(...ALL)), "RPC validation failed", AGAIN, URLS],
    ["its list of custom URLs is empty", relayer(RPC, { custom_rpc_urls: [] }), "RPC validation failed", AGAIN, URLS],
    [
      "its custom nodes fail",
      relayer(RPC, { custom_rpc_urls: [{ url: "https://a.example/***", weight: 100 }] }),
      "RPC validation failed",
      "its own RPC URLs cannot be changed while it is disabled",
      STATUS,
    ],
    ["its network is unknown", relayer(RPC, { network: null }), "RPC validation failed", AGAIN, STATUS],
    ["its nonce is unknown", relayer({ type: "NonceSyncFailed" }), "nonce sync failed", AGAIN, STATUS],
    [
      "its balance is too low",
      relayer({ type: "BalanceCheckFailed" }),
      "balance below the minimum",
      "fund 0xabc",
      STATUS,
    ],
    ["the reason is unknown", relayer({ type: "KeyRotated" }), "KeyRotated", "KeyRotated", STATUS],
    ["the service gives no reason", relayer(undefined), "no reason given", AGAIN, STATUS],
  ])("because %s", async (_, shown, why, next, hint) => {
    const error = await refused("relayers update r1 --name x", refusing(shown));
    expect(error).toMatchObject({ applied: "no", retryable: true, hint });
    expect(error.message).toMatch(/^Relayer is disabled; disabled by the service: /);
    expect(error.message).toContain(why);
    expect(error.message).toContain(next);
  });

  test("does not suggest funding if a failing node could not report the balance", async () => {
    const error = await refused("relayers pause r1", refusing(relayer(multiple(...ALL))));
    expect(error.message).toContain("balance could not be read; RPC validation failed; nonce sync failed");
    expect(error.message).not.toContain("fund ");
    expect(error.message).not.toContain("below the minimum");
  });

  test.each([
    ["relayers pause r1"],
    ["relayers resume r1"],
    ["relayers update r1 --paused"],
    ["relayers update r1 --no-rpc-urls"],
    ["api PATCH /relayers/r1 -f - --yes"],
    ["relayers sign r1 --message m"],
    ["relayers pause --all --yes"],
    ["relayers update r1 r1b --paused --yes"],
  ])("for %s", async (line) => {
    const { hint } = await refusedBy(line);
    expect(hint).toBe(URLS);
  });

  async function refusedBy(line: string) {
    const ran = await exits(6, `${line} -o json`, { service: refusing(relayer(RPC)), stdin: '{"paused":true}' });
    return printedError(ran.stderr);
  }

  test("suggests no resume for a paused and disabled relayer", async () => {
    const service = refusing(relayer(RPC, { paused: true }), "Relayer paused", 403);
    const error = await refused("relayers sign r1 --message m", service);
    expect(error.hint).toBe(URLS);
  });

  test("suggests a resume for a relayer that is only paused", async () => {
    const service = refusing(relayer(undefined, { paused: true, system_disabled: false }), "Relayer paused", 403);
    const error = await refused("relayers sign r1 --message m", service);
    expect(error).toMatchObject({ message: "Relayer paused", hint: "relayctl relayers resume r1" });
  });

  test("does not call a relayer disabled that the service has enabled since", async () => {
    const error = await refused("relayers pause r1", refusing(relayer(RPC, { system_disabled: false })));
    expect(error).toMatchObject({ message: "Relayer is disabled", hint: STATUS });
  });

  test("includes the context in the command", async () => {
    const ran = await cli("relayers pause r1", { ...inProd(), service: refusing(relayer(RPC)) });
    expect(ran.stderr).toContain("hint: relayctl -c prod networks update evm:base --rpc-url URL");
  });
});

test("one of several relayers is explained, even after another failure", async () => {
  const service: Transport = async (request, limits) =>
    request.target.endsWith("/nope")
      ? refusal(404, "Relayer with ID nope not found")
      : await refusing(relayer(RPC))(request, limits);
  await says(5, "relayers pause nope r1 --yes", "r1: disabled by the service", { service });
});

test("keeps the refusal of an unreadable relayer, with the command that shows the reason", async () => {
  const service: Transport = async ({ method }) =>
    method === "GET" ? refusal(500, "boom") : refusal(400, "Relayer is disabled");
  expect(await refused("relayers pause r1", service)).toMatchObject({ message: "Relayer is disabled", hint: STATUS });
});

test("status, get, and edit explain a disabled relayer in the same way", async () => {
  const service = refusing(relayer(RPC));
  const words = `RPC validation failed: ${AGAIN}; replace the network's RPC URLs: ${URLS}`;
  const status = await cli("relayers status r1 --brief -o table", { service });
  expect(status.stdout).toBe(`RELAYER  STATE\nr1       disabled\n\ndisabled  r1  ${words}\n`);
  await ends({ stderr: `disabled by the service: ${words}\n` }, "relayers get r1 -o json", { service });
  const edit = await cli("relayers edit r1", { service, terminal: true, answers: [[]] });
  expect(edit.stderr).toContain(`replace the network's RPC URLs: ${URLS}`);
});

test.each(["relayers get r1 -o table --color never", "relayers get r1 -o json", "relayers edit r1"])(
  "%s reports a balance that could not be read from a failing node",
  async (line) => {
    const service = refusing(relayer(multiple(...ALL)));
    const { stdout, stderr } = await cli(line, { service, terminal: line.includes("edit"), answers: [[]] });
    expect(stdout + stderr).toContain("balance could not be read");
    expect(stdout + stderr).not.toContain("below the minimum");
  },
);

describe("relayers delete", () => {
  test("deletes with --yes, and prints the ID for a script", async () => {
    const { stdout, stderr, writes } = await exits(0, "relayers delete eth-sepolia --yes -o name");
    expect(stdout).toBe("eth-sepolia\n");
    expect(stderr).toContain("relayer eth-sepolia");
    expect(writes).toHaveLength(1);
  });

  test("shows the relayer before the question", async () => {
    const { writes, stderr } = await exits(3, "relayers delete eth-sepolia", { terminal: true, answers: ["n"] });
    expect(stderr).toContain("delete relayer eth-sepolia in");
    expect(stderr).toContain("  name     Sepolia");
    expect(stderr).toContain("address  0x");
    expect(writes).toEqual([]);
  });

  test("keeps the service's message if transactions are pending", async () => {
    const { stderr } = await exits(6, "relayers delete eth-main-1 --yes");
    expect(stderr).toContain("Cannot delete relayer 'eth-main-1' because it has 5 transaction(s)");
    expect(stderr).toContain("hint: relayctl tx list eth-main-1\n");
  });
});
