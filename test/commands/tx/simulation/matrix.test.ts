import { sampled } from "../../../helpers/deep.ts";
import { reply } from "../../../helpers/service/reply.ts";
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
