import { setImmediate } from "node:timers/promises";
import type { Transport } from "../../../../src/client/transport/transport.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import { cli, ends, exits, runHere, testApp, type World } from "../../../helpers/cli.ts";
import { recordedAs, replyOf } from "../../../helpers/service/recorded.ts";
import { refusal, reply, success, wholeList } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { steppedClock } from "../../../helpers/stepped-clock.ts";

const EVM = { id: "evm-1", network: "localhost-anvil", network_type: "evm", paused: false, system_disabled: false };
const SOLANA = { id: "sol-1", network_type: "solana" };
const STELLAR = { id: "xlm-1", network_type: "stellar" };
const DEAD = { id: "evm-dead", network_type: "evm" };
const NO_ROUTE = reply(404);

type SponsoredResponses = Readonly<Record<string, WireReply | (() => WireReply) | "hangs">>;

const RECORDED: SponsoredResponses = {
  "evm-1": replyOf(recordedAs("status")),
  "sol-1": replyOf(recordedAs("solana status")),
  "xlm-1": replyOf(recordedAs("stellar status")),
  "evm-dead": replyOf(recordedAs("dead: status")),
};

/** A service with these relayers in its list, and the responses of the status route of each. */
function fleet(
  relayers: readonly { id: string }[],
  answers: SponsoredResponses = RECORDED,
): World & { service: Transport } {
  return {
    service: async ({ target }, { signal }) => {
      const id = /^\/api\/v1\/relayers\/([^/]+)\/status$/.exec(target)?.[1];
      if (id === undefined) return wholeList(relayers);
      const answer = answers[id] ?? NO_ROUTE;
      if (answer !== "hangs") return typeof answer === "function" ? answer() : answer;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw lost(signal.reason);
    },
  };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `r${index}` }));
const asked = ({ requests }: { requests: readonly { target: string }[] }) =>
  requests.filter(({ target }) => target.endsWith("/status")).map(({ target }) => target.split("/")[4]);

describe("the status of each relayer", () => {
  test("is shown in columns, exactly and with its unit", async () => {
    const ran = await ends({ exitCode: 0, stderr: "" }, "relayers status -o table", fleet([EVM, SOLANA, STELLAR]));
    expect(ran.stdout).toBe(
      "RELAYER  STATE     BALANCE  PENDING  LAST\n" +
        "evm-1    active  10000 ETH        0     –\n" +
        "sol-1    active     50 SOL        0     –\n" +
        "xlm-1    active  50000 XLM        0     –\n",
    );
  });

  test("is the service's data in a script, with every digit and unknown fields", async () => {
    const data = '{"network_type":"evm","balance":340282366920938463463374607431768211455,"later":[1],"nonce":null}';
    const ran = await cli("relayers status evm-1 -o ndjson", fleet([EVM], { "evm-1": success(data) }));
    expect(ran.stdout).toBe(
      `{"relayer":${JSON.stringify(EVM)},"status":${data},"health":{"state":"active","reasons":[]}}\n`,
    );
  });

  test("can be filtered and sorted by numbers of any size", async () => {
    const line = "relayers status --where status.balance>50000000000 --sort -status.balance --fields relayer.id";
    expect((await cli(line, fleet([STELLAR, SOLANA, EVM]))).stdout).toBe("evm-1\nxlm-1\n");
  });

  test.each([
    ["an unknown network type", { network_type: "moon", balance: "5", nonce: 3 }, "evm-1  active  5  –  –\n"],
    ["no fields", {}, "evm-1  active  –  –  –\n"],
    ["a balance as text", { balance: "a lot\u001b[2J" }, "evm-1  active  a lot\\u{1b}[2J  –  –\n"],
  ])("with %s is shown unchanged", async (_, data, shown) => {
    const ran = await cli("relayers status -o table", fleet([EVM], { "evm-1": success(data) }));
    expect(ran.stdout.replaceAll(/ {3,}/g, "  ").split("\n").slice(1).join("\n")).toBe(shown);
  });
});

describe("a status that cannot be read", () => {
  test("is reported on the relayer's line with the node's URL masked, and other relayers are shown", async () => {
    const ran = await exits(12, "relayers status -o table", fleet([EVM, DEAD]));
    expect(ran.stderr).toMatch(/^error: 1 of 2 reads failed\n {2}evm-dead: Transport error: /);
    expect(ran.stdout).toBe(
      "RELAYER   STATE                BALANCE  PENDING  LAST\n" +
        "evm-dead  active · not read          –        –     –\n" +
        "evm-1     active             10000 ETH        0     –\n\n" +
        "active  evm-dead  balance, pending, and nonce unknown: Transport error: error sending request for url (http://127.0.0.1:9/)\n",
    );
  });

  test("is null in a script, and reported on stderr", async () => {
    const ran = await cli(
      "relayers status -o json",
      fleet([EVM, DEAD, { id: "evm-2" }], { ...RECORDED, "evm-2": refusal(500, "no") }),
    );
    expect(JSON.parse(ran.stdout).map(({ status }: { status: object | null }) => status === null)).toEqual([
      false,
      true,
      true,
    ]);
    expect(ran.exitCode).toBe(12);
    expect(ran.stderr).toMatch(
      /^note: status of evm-2 not known: no\nnote: status of evm-dead not known: Transport error/m,
    );
  });

  test("is requested once", async () => {
    const ran = await cli("relayers status evm-dead --retries 5", fleet([DEAD]));
    expect(asked(ran)).toEqual(["evm-dead"]);
  });

  test.each([
    ["data that is not an object", success("[]"), 9],
    ["a response that is not JSON", reply(200, "<html>"), 9],
    ["a success with success: false", reply(200, { success: false, data: null, error: "no" }), 7],
    ["a relayer that was just deleted", refusal(404, "Relayer with ID evm-1 not found"), 5],
    ["a 401", refusal(401, "Unauthorized"), 4],
  ])("because of %s hides no state, and fails with its code", async (_, answer, code) => {
    const ran = await exits(code, "relayers status evm-1 -o json", fleet([EVM], { "evm-1": answer }));
    expect(JSON.parse(ran.stdout)[0]).toMatchObject({ status: null, health: { state: "active" } });
    expect(ran.stderr).toMatch(/^note: status of evm-1 not known: /);
  });

  test("because of a missing route is reported once, and leaves the states", async () => {
    const ran = await exits(7, "relayers status -o table", fleet(many(40), {}));
    expect(ran.stdout).toMatch(/^RELAYER {2}STATE\nr0 +active\nr1 +active\n/);
    expect(ran.stderr).toMatch(
      /^note: this service has no status route: balances, pending counts, and nonces are unknown\nerror: 40 of 40 reads failed\n {2}40 failed: /,
    );
    expect(asked(ran).length).toBeLessThan(40);
  });

  test("because of a 429 is requested again later", async () => {
    const answers = [refusal(429, "Too Many Requests", { "retry-after": "0" }), replyOf(recordedAs("status"))];
    const ran = await cli("relayers status -o table", fleet([EVM], { "evm-1": () => answers.shift() ?? NO_ROUTE }));
    expect(ran.stdout).toContain("\nevm-1    active  10000 ETH        0 ");
  });

  test("in time is given up, and the other statuses are shown", async () => {
    const clock = steppedClock();
    const made = testApp({ ...fleet([EVM, DEAD], { ...RECORDED, "evm-dead": "hangs" }), clock });
    const ended = runHere(made, ["relayers", "status", "-o", "table", "--timeout", "5m"]);
    while (made.requests.length < 3) await setImmediate();
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    await clock.pass(29_999);
    expect(isOver).toBe(false);
    await clock.pass(1);
    while (!isOver) await setImmediate();
    expect(await ended).toMatchObject({
      exitCode: 12,
      stdout:
        "RELAYER   STATE                BALANCE  PENDING  LAST\n" +
        "evm-dead  active · not read          –        –     –\n" +
        "evm-1     active             10000 ETH        0     –\n\n" +
        "active  evm-dead  balance, pending, and nonce unknown: no response in time\n",
    });
  });

  test("because of Ctrl-C ends the command", async () => {
    const interrupt = new AbortController();
    const made = testApp({ ...fleet([EVM], { "evm-1": "hangs" }), interrupt: interrupt.signal });
    const ended = runHere(made, ["relayers", "status"]);
    while (made.requests.length < 2) await setImmediate();
    interrupt.abort("interrupted");
    expect(await ended).toMatchObject({ exitCode: 130, stdout: "" });
  });
});

describe("requests the status route", () => {
  test.each([
    ["relayers status", ["evm-1", "sol-1"]],
    ["relayers status sol-1", ["sol-1"]],
    ["relayers status --where relayer.network_type=evm", ["evm-1"]],
    ["relayers status -o name --where status.pending_transactions_count=0", ["evm-1", "sol-1"]],
    ["relayers status --fields relayer.id,status.nonce", ["evm-1", "sol-1"]],
    ["relayers status -o json --query [].status.nonce", ["evm-1", "sol-1"]],
    ["relayers status --brief", []],
    ["relayers status --brief --query [].status -o json", []],
    ["relayers status sol-1 --brief", []],
    ["relayers status --check", []],
    ["relayers status sol-1 --check", []],
    ["relayers status -o name", []],
    ["relayers status -o raw", []],
    ["relayers status --fields relayer.id,health.state", []],
  ])("for %s: of %j", async (line, ids) => {
    const ran = await exits(0, line, fleet([EVM, SOLANA]));
    expect(asked(ran)).toEqual(ids);
  });

  test.each(["--brief", "--check"])(
    "not with %s, which cannot be combined with a field of the status",
    async (flag) => {
      const ran = await ends({ exitCode: 2, requests: [] }, `relayers status ${flag} --where !status.nonce`);
      expect(ran.stderr).toContain(
        `--where !status.nonce: cannot select a field of status together with ${flag}, which reads only the list`,
      );
    },
  );

  test("of up to 100 relayers by default, and of more if IDs or fields are specified", async () => {
    const count = async (line: string, size: number) => {
      const answers = Object.fromEntries(many(size).map(({ id }) => [id, success({ nonce: "1" })]));
      return asked(
        await cli(line, {
          ...fleet(many(size), answers),
          stdin: many(size)
            .map(({ id }) => id)
            .join("\n"),
        }),
      ).length;
    };
    expect(await count("relayers status -o json", 100)).toBe(100);
    expect(await count("relayers status -o json", 101)).toBe(0);
    expect(await count("relayers status -o json --where relayer.id~r1", 101)).toBe(12);
    expect(await count("relayers status -", 101)).toBe(101);
    expect(await count("relayers status --fields status.nonce", 101)).toBe(101);
    const { stderr } = await cli("relayers status -o table", fleet(many(101), {}));
    expect(stderr).toBe(
      "note: balances, pending counts and nonces of up to 100 relayers are read, and this list has 101: specify IDs or use --where\n",
    );
  });

  test("16 times in parallel", async () => {
    let underWay = 0;
    let most = 0;
    const service: Transport = async ({ target }) => {
      if (!target.endsWith("/status")) return wholeList(many(50));
      most = Math.max(most, ++underWay);
      await setImmediate();
      underWay--;
      return success({ nonce: "1" });
    };
    expect((await cli("relayers status", { service })).exitCode).toBe(0);
    expect(most).toBe(16);
  });
});

test("an unreadable balance after a failed balance check is not reported as low", async () => {
  const poor = { ...DEAD, address: "0xabc", system_disabled: true, disabled_reason: { type: "BalanceCheckFailed" } };
  const unread = await cli("relayers status -o table", fleet([poor]));
  expect(unread.stdout).toContain("balance below the minimum, or could not be read: ");
  expect(unread.stdout).toContain("; fund 0xabc if its balance is too low\n");
  const read = await cli("relayers status -o table", fleet([{ ...poor, id: "evm-1" }]));
  expect(read.stdout).toMatch(/ balance below the minimum: .*; fund 0xabc(?! if)/);
});
