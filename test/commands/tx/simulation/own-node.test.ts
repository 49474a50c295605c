import type { Transport } from "../../../../src/client/transport/transport.ts";
import { cli } from "../../../helpers/cli.ts";
import { sampled } from "../../../helpers/deep.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { SERVER, TOKEN } from "../../../helpers/test-app.ts";
import {
  BUMP,
  type NodeStory,
  type Outcome,
  REPLACE,
  SEND,
  simulated,
  WAYS,
  type WayName,
  word,
} from "./simulating-world.ts";

describe("a node of the user", () => {
  const ORIGIN = "https://rpc.example.org";
  const KEY = "0123456789abcdef0123456789abcdef";
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_NODE_LOCALHOST: `${ORIGIN}/v3/${KEY}` };
  const PANIC = `0x4e487b71${word(0x11)}`;
  const REVERTED = { code: 3, message: "execution reverted", data: PANIC };

  /** A node of the user that has only plain `eth_call`, which fails with an error. */
  function ownNode(error: object, chainId = "0x1"): Transport {
    const results: Readonly<Record<string, unknown>> = {
      eth_chainId: chainId,
      eth_getTransactionCount: "0x4",
      eth_getCode: "0x6080",
    };
    return async ({ body = "" }) => {
      const { id, method, params } = JSON.parse(body);
      if (method === "eth_call" && params.length === 2) return reply(200, { jsonrpc: "2.0", id, error });
      const result = results[method];
      if (result !== undefined) return reply(200, { jsonrpc: "2.0", id, result });
      return reply(200, { jsonrpc: "2.0", id, error: { code: -32_601, message: "method not found" } });
    };
  }

  const run = (line: string, transport: Transport) =>
    simulated(
      `${line} --simulate --yes`,
      { ways: [], outcome: () => ({ isReverted: false, data: "0x" }) },
      { env, nodes: { [ORIGIN]: transport } },
    );

  test.each([SEND, REPLACE, BUMP])("simulates in place of the relayer's, with its own reason: %s", async (line) => {
    const ran = await run(line, ownNode(REVERTED));
    expect([ran.exitCode, ran.sent]).toEqual([7, []]);
    expect(ran.stderr).toContain("error: the call would revert: Panic(0x11): arithmetic overflow or underflow\n");
    expect(ran.asked.map(({ method }) => method)).not.toContain("eth_call");
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
  });

  test("shows that a call runs out of gas", async () => {
    const ran = await run(SEND, ownNode({ code: -32_000, message: "out of gas" }));
    expect(ran.stderr).toContain("error: the call would revert: out of gas\n");
  });

  test("of another chain is not asked, and the transaction is sent with a note", async () => {
    const ran = await run(SEND, ownNode(REVERTED, "0x2"));
    expect(ran.stderr).toMatch(/^note: not simulated: .* is on chain 2, the network is chain 1$/m);
    expect(ran.sent).toHaveLength(1);
  });

  test("that does not respond holds up nothing", async () => {
    const broken: Transport = async () => reply(503);
    const ran = await run(SEND, broken);
    expect(ran.stderr).toMatch(/^note: not simulated: .*503$/m);
    expect(ran.sent).toHaveLength(1);
  });
});

describe("the demo", () => {
  const TOKEN = "0x52908400098527886e0f7030069857d2e416c0de";
  const SPENDER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

  test("shows on a terminal that an unlimited approval succeeds, and what it allows", async () => {
    const unlimited = 2n ** 256n - 1n;
    const approve = ["--call", "approve(address,uint256)", "--arg", SPENDER, "--arg", String(unlimited)];
    const line = ["--demo", "tx", "send", "base-hot", "--to", TOKEN, "--value", "0", "--speed", "fast", ...approve];
    const ran = await cli(line, { terminal: true, answers: [false] });
    expect(ran.stderr).toContain("unlimited");
    expect(ran.stderr).toMatch(/simulated +succeeds, uses \d+ gas/);
    expect(ran.writes).toEqual([]);
  });
});

const text = "too late";
const ERROR = `0x08c379a0${word(32)}${word(text.length)}${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
const CUSTOM = `0xfb8f41b2${word(1)}`;
const REVERTED = "execution reverted";

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  Error: { isReverted: true, data: ERROR, error: `${REVERTED}: ${text}` },
  Panic: { isReverted: true, data: `0x4e487b71${word(0x11)}`, error: REVERTED },
  custom: { isReverted: true, data: CUSTOM, error: REVERTED },
  "no reason": { isReverted: true, data: "0x", error: REVERTED },
  "out of gas": { isReverted: true, data: "0x", error: "out of gas", code: -32_000 },
  halt: { isReverted: true, data: "0x", error: "invalid opcode: INVALID", code: -32_000 },
};
const SUCCESS: Outcome = { isReverted: false, data: `0x${word(1)}` };

/** The words for an outcome if the node shows them, and the words for one whose reason the way does not show. */
const WORDS: Readonly<Record<string, string>> = {
  Error: "the call would revert: too late",
  Panic: "the call would revert: Panic(0x11): arithmetic overflow or underflow",
  custom: "the call would revert: custom error 0xfb8f41b2",
  "no reason": "the call would revert: no reason given",
  "out of gas": "the call would revert: out of gas",
  halt: "the call would revert: invalid opcode: INVALID",
};
const UNSHOWN = "the call would revert, and the node does not show why";

/** Returns the words of an outcome as a way shows it; undefined if the service hides even that (facts 15.5). */
function wordsOf(way: WayName, outcome: string): string | undefined {
  const isHalt = outcome === "out of gas" || outcome === "halt";
  if (way === "call") return isHalt ? undefined : UNSHOWN;
  return way === "override" && isHalt ? WORDS["no reason"] : WORDS[outcome];
}

const COMMANDS = { send: SEND, replace: REPLACE, bump: BUMP };
const MODES = [
  ["on a terminal", "", { terminal: true, answers: [] }],
  ["on a terminal with --yes", " --yes", { terminal: true }],
  ["of a script with --simulate", " --yes --simulate", {}],
] as const;
const all = Object.entries(COMMANDS).flatMap(([command, line]) =>
  MODES.flatMap(([mode, flags, world]) =>
    WAYS.flatMap((way) =>
      Object.entries(OUTCOMES).map(([name, outcome]) => ({
        command,
        line: line + flags,
        mode,
        world,
        way,
        name,
        outcome,
      })),
    ),
  ),
);
const cases = sampled(all, 5);

describe("a call that would revert", () => {
  test.each(
    sampled(
      cases.filter(({ way, name }) => wordsOf(way, name) !== undefined),
      3,
    ),
  )("is not sent by $command $mode: $name, by $way", async ({ line, world, way, name, outcome }) => {
    const ran = await simulated(line, { ways: [way], outcome: () => outcome }, world);
    expect([ran.exitCode, ran.stderr]).toEqual([
      7,
      expect.stringContaining(`error: ${wordsOf(way, name)}\n  nothing was sent\n`),
    ]);
    expect([ran.sent, ran.questions]).toEqual([[], []]);
    expect(ran.stderr).toMatch(/ {2}hint: relayctl tx .* --even-if-it-reverts\n$/);
    if (name === "custom" && way !== "call") expect(ran.stderr).toContain(`  revert data: ${CUSTOM}\n`);
  });

  test.each(cases.filter(({ way, name }) => wordsOf(way, name) === undefined))(
    "is sent with a note by $command $mode if the service hides it: $name, by $way",
    async ({ line, world, way, outcome }) => {
      const ran = await simulated(line, { ways: [way], outcome: () => outcome }, { ...world, answers: [true] });
      expect(ran.stderr).toMatch(/^note: not simulated: .*\(code: -32000\)$/m);
      expect(ran.sent).toHaveLength(1);
    },
  );
});

describe.each(Object.entries(COMMANDS))("tx %s", (_, line) => {
  const node = (more: Partial<NodeStory> = {}): NodeStory => ({ ways: WAYS, outcome: () => SUCCESS, ...more });
  const reverting = node({ outcome: () => OUTCOMES.Error ?? SUCCESS });

  test.each(WAYS)("sends a call that succeeds, and shows it in the question, by %s", async (way) => {
    const ran = await simulated(line, node({ ways: [way] }), { terminal: true, answers: [true] });
    const used = way === "simulate" || way === "trace" ? ", uses 51234 of 100000 gas" : "";
    expect(ran.stderr).toMatch(new RegExp(`^ {2}simulated +succeeds${used}$`, "m"));
    expect(ran.sent).toHaveLength(1);
  });

  test("of a script simulates nothing without --simulate", async () => {
    const ran = await simulated(`${line} --yes`, reverting);
    expect(ran.sent).toHaveLength(1);
    expect(ran.asked.map(({ method }) => method)).not.toContain("eth_simulateV1");
  });

  test("simulates nothing on a terminal with --no-input", async () => {
    const ran = await simulated(`${line} --yes --no-input`, reverting, { terminal: true });
    expect(ran.sent).toHaveLength(1);
  });

  test("sends a call that reverts with --even-if-it-reverts, after a warning", async () => {
    const world = { terminal: true, answers: [true] };
    const ran = await simulated(`${line} --even-if-it-reverts`, reverting, world);
    expect(ran.stderr).toContain("warning: the call would revert: too late\n");
    expect(ran.stderr).toMatch(/^ {2}simulated +reverts: too late$/m);
    expect(ran.sent).toHaveLength(1);
  });

  test.each([
    ["has no way", {}, "note: not simulated: the node has no method for it\n"],
    ["limits the rate", { broken: tooMany() }, /^note: not simulated: .*Too Many Requests.*$/m],
    ["is refused by the service", { broken: refused() }, /^note: not simulated: .*not allowed.*$/m],
  ])("is sent with one note if the node %s", async (_, more, note) => {
    const ran = await simulated(`${line} --yes --simulate`, node({ ways: [], ...more }));
    expect(ran.stderr).toMatch(note);
    expect(ran.stderr.match(/not simulated/g)).toHaveLength(1);
    expect(ran.sent).toHaveLength(1);
  });
});

function tooMany() {
  return reply(429, { success: false, data: null, error: "Too Many Requests", message: "Too Many Requests" });
}

function refused() {
  return reply(403, { success: false, data: null, error: "rpc is not allowed" });
}
