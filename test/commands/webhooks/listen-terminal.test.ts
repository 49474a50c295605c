import { steppedClock } from "../../helpers/stepped-clock.ts";
import { FILES, listening, NEW, type Sender, signed, update } from "./listening.ts";

const TERMINAL = { stdoutTerminal: true, columns: 80, env: { NO_COLOR: "1", LC_ALL: "C.UTF-8" } };
const TX = "83620d65-864d-4d12-bc0b-d5ff2aaceab2";
const LONG_RELAYER = "af095236-f78d-4298-b2b9-c0422af53fe1";

const drawn = async (script: (sender: Sender) => Promise<unknown>, flags = "--signing-key-file new.key") =>
  (await listening(flags, script, { ...TERMINAL, files: FILES })).stdout;
const valid = (body: object) => [body, signed(body, NEW)] as const;

test("draws one line for each event, with a sign, and breaks no ID", async () => {
  const text = await drawn(async ({ send }) => {
    await send(...valid(update("e1")));
    await send(...valid(update("e2", { status: "confirmed", relayer_id: LONG_RELAYER }, 1)));
  });
  expect(text).toBe(
    `03:12:07Z ● submitted  eth-main-1  ${TX}\n03:12:07Z ✓ confirmed  ${LONG_RELAYER}\n            ${TX}\n`,
  );
});

test("shows what an event means below it, with the command that compares it with the chain", async () => {
  const lost = { status: "confirmed", is_canceled: true, value: "0", from: "0xa", to: "0xa", data: null };
  expect(await drawn(({ send }) => send(...valid(update("e1", lost))))).toBe(
    `03:12:07Z ✗ confirmed  eth-main-1  ${TX}\n            too late to cancel: the original was mined\n` +
      `            see: relayctl tx get eth-main-1 ${TX} --on-chain\n`,
  );
});

test("shows the states of relayers in the words of their status", async () => {
  const relayer = { id: "eth-sepolia", disabled_reason: { type: "NonceSyncFailed" } };
  const event = (type: string, more: object) => ({
    id: type,
    event: "relayer_state_update",
    payload: { payload_type: type, ...more },
  });
  const text = await drawn(async ({ send }) => {
    await send(...valid(event("relayer_disabled", { relayer, disable_reason: "?" })));
    await send(...valid(event("relayer_enabled", { relayer: { id: "eth-sepolia", paused: true }, retry_count: 1 })));
  });
  expect(text).toBe(
    "03:12:07Z ✗ disabled   eth-sepolia\n" +
      "            nonce sync failed: the service tries again by itself, about once a\n            minute\n" +
      "03:12:07Z ✓ enabled    eth-sepolia  after 1 retry; still paused by an operator\n",
  );
});

test("marks deliveries that are late, not signed, or signed with one of several keys", async () => {
  const two = "--signing-key-file old.key --signing-key-file new.key";
  const late = async ({ send }: Sender) => {
    await send(...valid(update("e1", { id: "t" }, 1)));
    await send(...valid(update("e2", { id: "t" })));
  };
  expect(await drawn(late, two)).toBe(
    "03:12:07Z ● submitted  eth-main-1  t  key 2\n03:12:07Z ● submitted  eth-main-1  t  late · key 2\n",
  );
  const unsigned = async ({ send }: Sender) => {
    await send(update("e1", { id: "t" }));
    await send(update("e2", { id: "t2" }), { "x-signature": "?" });
  };
  expect(await drawn(unsigned, "")).toBe(
    "03:12:07Z ● submitted  eth-main-1  t  unsigned\n03:12:07Z ● submitted  eth-main-1  t2  unverified\n",
  );
});

test("shows the label of a receiver", async () => {
  const to = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
  const ran = await listening("", ({ send }) => send(update("e1", { id: "t", to })), {
    ...TERMINAL,
    config: { version: 1, contexts: {}, labels: { evm: { treasury: to } } },
  });
  expect(ran.stdout).toContain("eth-main-1  t  to @treasury · unsigned\n");
});

const HOSTILE = "\u001b]0;x\u0007\u202e\n\t\u001b[2J";

test.each(["", "-o tsv", "-o ndjson", "-o csv", "-o name"])("escapes hostile text (%s)", async (format) => {
  const event = {
    id: `e${HOSTILE}`,
    event: HOSTILE,
    payload: { payload_type: "transaction", id: HOSTILE, relayer_id: HOSTILE, status: HOSTILE, status_reason: HOSTILE },
    timestamp: HOSTILE,
  };
  for (const world of [TERMINAL, {}]) {
    const ran = await listening(format, ({ send }) => Promise.all([send(event), send(event)]), {
      ...world,
      isMalformed: true,
    });
    // JSON in a pipe is data, in which only control characters are escaped.
    const isData = format === "-o ndjson" && world !== TERMINAL;
    expect(ran.stdout + ran.stderr).not.toMatch(isData ? /[\u0007\u001b]/ : /[\u0007\u001b\u202e]/);
    expect(ran.stdout.trimEnd().split("\n").length).toBeLessThan(8);
  }
});

test.each([
  ["a payload that is none", { id: "1", event: 7, payload: [] }],
  ["members of other types", { id: "1", event: "transaction_update", payload: { payload_type: "transaction", id: 7 } }],
  [
    "a transaction of nothing but other types",
    { id: "1", payload: { payload_type: "transaction", id: "t", status: {}, value: [], nonce: {}, to: 1, from: 2 } },
  ],
  [
    "a relayer that is none",
    { id: "1", payload: { payload_type: "relayer_disabled", relayer: 7, disable_reason: {} } },
  ],
  ["swaps that are none", { id: "1", payload: { payload_type: "solana_dex", swap_results: [7, null, {}] } }],
  ["an unknown kind", { id: "1", event: "later", payload: { payload_type: "future" } }],
])("prints %s in every format", async (_, event) => {
  for (const format of ["", "-o tsv", "-o ndjson"]) {
    const ran = await listening(format, ({ send }) => send(event), { ...TERMINAL, isMalformed: true });
    expect([ran.exitCode, ran.statuses, ran.stdout !== ""]).toEqual([0, [200], true]);
  }
});

test("shows on a terminal when the last delivery was received, while it waits", async () => {
  const clock = steppedClock();
  const script = async ({ send }: Sender) => {
    await clock.pass(2_000);
    await send(update("e1"));
    await clock.pass(61_000);
  };
  const ran = await listening("", script, { ...TERMINAL, terminal: true, clock });
  expect(ran.stderr).toContain("waiting for deliveries\r");
  expect(ran.stderr).toContain("waiting for deliveries · 1 event · last delivery 1m ago");
});
