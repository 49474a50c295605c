import { nextCommandLines } from "../../src/cli/next-command.ts";
import { bulkFailure } from "../../src/client/bulk/run-all.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import { cancelError, RelayctlError } from "../../src/errors.ts";
import { paymentRunFailure } from "../../src/payments/failure.ts";
import type { Ended, Running } from "../../src/payments/run/running.ts";
import { unfinishedWaitError } from "../../src/views/transaction/ending.ts";
import { intent, outcome } from "../commands/history/recorded.ts";
import {
  cli,
  ends,
  exited,
  exitedSaying,
  printedError,
  runHere,
  SERVER,
  TOKEN,
  testApp,
  type World,
} from "../helpers/cli.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { refusal, reply, wholeList } from "../helpers/service/reply.ts";

const TX = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const CONTEXTS = {
  version: 1,
  current: "dev",
  contexts: { prod: { server: "https://prod.example.org", protected: true }, dev: { server: SERVER } },
} as const;

const asked = (line: string, answers: World["answers"], world: World = {}) =>
  cli(line, { terminal: true, answers: answers ?? [], ...world });

describe("asks for a missing argument and treats it like a typed one", () => {
  test.each([
    ["relayers get", ["eth-main-2"], "relayers get eth-main-2"],
    ["relayers pause", ["eth-main-1"], "relayers pause eth-main-1"],
    ["relayers update --name x", ["base-hot"], "relayers update base-hot --name x"],
    ["notifications get", ["ops-hook"], "notifications get ops-hook"],
    [
      "notifications update --url https://h.example",
      ["audit-log"],
      "notifications update audit-log --url https://h.example",
    ],
    ["tx replace --value 1 --yes", ["eth-main-1", TX], `tx replace eth-main-1 ${TX} --value 1 --yes`],
    ["tx replace eth-main-1 --value 1 --yes", [TX], `tx replace eth-main-1 ${TX} --value 1 --yes`],
    ["api", ["GET", "/relayers/eth-main-1"], "api GET /relayers/eth-main-1"],
    ["context use", ["prod"], "context use prod"],
    ["context set --protected", ["dev"], "context set dev --protected"],
    ["context delete --yes", ["dev"], "context delete dev --yes"],
  ])("%s", async (line, answers, typed) => {
    const ran = await asked(line, answers, { config: CONTEXTS });
    const whole = await cli(typed, { terminal: true, config: CONTEXTS });
    expect(ran.questions).toHaveLength(answers.length);
    expect(ran).toMatchObject({ exitCode: 0, stdout: whole.stdout, stderr: whole.stderr, writes: whole.writes });
  });

  test.each(["history show", "relayers get", "api", "find"])("%s asks nothing without a server", async (line) => {
    const ran = await asked(line, ["x", "y"], { env: {}, config: { version: 1, contexts: {} } });
    expect(ran).toMatchObject({ exitCode: 2, questions: [] });
    expect(ran.stderr).toContain("no server configured");
  });

  test.each([
    ["relayers get", "eth-main-2", "eth-main-2    Mainnet 2 · mainnet · paused"],
    ["relayers get", "xlm-pay", "xlm-pay       Stellar pay · testnet · disabled · 2 reasons"],
    ["notifications get", "audit-log", "audit-log      https://audit.example.org/relayer-events · not signed"],
    ["context use", "dev", `dev   ${SERVER} · current`],
    ["context use", "prod", "prod  https://prod.example.org · protected"],
  ])("%s offers %s with a description", async (line, id, listed) => {
    expect((await asked(line, [id], { config: CONTEXTS })).offered[0]).toContain(listed);
  });

  test("includes the argument in hints", async () => {
    const service: Transport = async (request) =>
      request.target.startsWith("/api/v1/relayers?") ? wholeList([{ id: "r1" }]) : refusal(429, "Too Many Requests");
    const ran = await exited(8, asked("relayers pause --retries 0 --quiet", ["r1"], { service }));
    expect(ran.stderr).toContain("hint: relayctl relayers pause --retries 0 --quiet r1\n");
  });

  test("puts an ID that looks like a flag after --", async () => {
    const ran = await exited({ exitCode: 0, requests: [] }, asked("relayers get --dry-run", ["--yes"]));
    expect(ran.stdout).toContain("GET /api/v1/relayers/--yes\n");
  });

  test("asks for the ID as text in a dry run, without a list", async () => {
    const ran = await asked("relayers pause --curl", ["", "a/b", "-", "eth-main-1"]);
    expect(ran).toMatchObject({ exitCode: 0, requests: [] });
    expect(ran.stdout).toContain(`${SERVER}/api/v1/relayers/eth-main-1`);
    expect(ran.questions).toEqual([
      "Relayer:",
      "  enter a value: Relayer IDs (`-` reads IDs from stdin, one per line)",
      "Relayer:",
      "  contains a slash or a control character",
      "Relayer:",
      "  stdin is this terminal; enter a value",
      "Relayer:",
    ]);
  });

  test("asks for the ID as text if the service has no list of transactions", async () => {
    const service: Transport = async () => reply(404, "");
    const ran = await asked("tx replace eth-main-1 --value 1", ["", TX, false], { service });
    expect(ran.offered).toEqual([]);
    expect(ran.questions.slice(0, 3)).toEqual([
      "Transaction:",
      "  enter a value: Transaction ID (`-` reads one line from stdin)",
      "Transaction:",
    ]);
  });

  test("offers the latest transactions of a service with a list", async () => {
    const service: Transport = async ({ target }) =>
      target.startsWith("/api/v1/relayers/r/transactions?")
        ? reply(200, '{"success":true,"data":[{"id":"t1","status":"sent","nonce":7,"to":"0x1"},{"id":"t2"}]}')
        : reply(500, "");
    const ran = await asked("tx replace r --value 1 --quiet", ["t1", false], { service });
    expect(ran.offered[0]).toEqual(["t1  sent · nonce 7 · to 0x1", "t2"]);
  });

  test.each([
    ["tx replace r --value 1", ["t1  sent", "t4  submitted", "t5  soon"]],
    ["tx cancel r", ["t1  sent", "t5  soon"]],
  ])("%s offers only suitable transactions", async (line, offered) => {
    const items = [
      { id: "t1", status: "sent" },
      { id: "t2", status: "confirmed" },
      { id: "t3", status: "Mined" },
      { id: "t4", status: "submitted", is_canceled: true },
      { id: "t5", status: "soon" },
    ];
    const service: Transport = async ({ target }) =>
      target.includes("/transactions?") ? reply(200, JSON.stringify({ success: true, data: items })) : reply(500, "");
    const ran = await asked(`${line} --retries 0`, ["t1", false], { service });
    expect(ran.offered[0]).toEqual(offered);
  });

  test("exits with 5 if no transaction is suitable, before any other question", async () => {
    const service: Transport = async () => reply(200, '{"success":true,"data":[{"id":"t2","status":"confirmed"}]}');
    const ran = await exited({ exitCode: 5, questions: [], writes: [] }, asked("tx replace r -i", [], { service }));
    expect(ran.stderr).toBe(
      "error: r has no transaction that can be replaced\n  nothing was sent\n  hint: relayctl tx list r\n",
    );
  });

  test("reports an unknown relayer without more questions", async () => {
    const service: Transport = async () =>
      reply(404, '{"success":false,"data":null,"message":"Relayer with ID nope not found"}');
    expect(await asked("tx replace nope --value 1", [], { service })).toMatchObject({ exitCode: 5, writes: [] });
  });

  test("reports an invalid ID before any read", async () =>
    expect(await asked("tx replace a/b --value 1", [TX])).toMatchObject({ exitCode: 2, requests: [] }));

  test("does not count the time at a question against --deadline", async () => {
    const made = testApp({ terminal: true, answers: ["eth-main-1"] });
    const prompts = await made.app.prompts();
    const search: typeof prompts.search = async (...question) => {
      const answer = await prompts.search(...question);
      await made.clock.sleep(600_000);
      return answer;
    };
    Object.assign(made.app, { prompts: async () => ({ ...prompts, search }) });
    expect(await runHere(made, ["relayers", "pause", "--deadline", "60s"])).toMatchObject({ exitCode: 0 });
  });
});

describe("asks for no ID if there is nothing to change", () => {
  test.each([
    ["relayers update", "relayctl relayers edit"],
    ["relayers update --network-type evm --rate 5/s", "relayctl relayers edit"],
    ["notifications update", "relayctl notifications update -i"],
  ])("%s: exits with 2", async (line, hint) => {
    const ran = await exited({ exitCode: 2, questions: [], requests: [] }, asked(line, []));
    expect(ran.stderr).toContain("nothing to change; specify a field");
    expect(ran.stderr).toContain(`hint: ${hint}\n`);
  });

  test.each([
    ["relayers update --no-name", ["eth-main-1"]],
    ["relayers update --policies -", ["eth-main-1"]],
    ["notifications update --remove-signing-key", ["ops-hook", false]],
    ["notifications update -i", ["ops-hook", "https://h.example", "keep it (set, never shown)"]],
  ])("but asks for %s", async (line, answers) => expect((await asked(line, answers)).questions).not.toEqual([]));
});

test.each([
  ["relayers get", "no relayer to choose from"],
  ["notifications get", "no notification to choose from"],
  ["context use", "there are no contexts yet\n  hint: relayctl auth login"],
])("has nothing to offer for %s, and exits with 5", (line, words) =>
  exitedSaying({ exitCode: 5, questions: [], writes: [] }, asked(line, [], { seed: "empty" }), words),
);

describe("asks nothing", () => {
  test.each<[string, string, World]>([
    ["without a terminal", "relayers pause", {}],
    ["with --no-input", "relayers pause --no-input", { terminal: true }],
    ["with CI", "relayers pause", { terminal: true, env: { CI: "1" } }],
    ["with RELAYCTL_NO_INPUT", "relayers pause", { terminal: true, env: { RELAYCTL_NO_INPUT: "1" } }],
  ])("%s: exits with 2 and the missing arguments, before any request", async (_, line, world) => {
    const ran = await ends({ exitCode: 2, requests: [], questions: [], stdout: "" }, line, world);
    expect(ran.stderr).toBe(
      "error: missing required argument 'ids', or --all or --where\n  hint: relayctl relayers pause --help\n",
    );
  });

  test("if a flag is invalid", async () => {
    const ran = await asked("relayers get -o jsno --retries x", []);
    expect(ran).toMatchObject({ exitCode: 2, requests: [], questions: [] });
    expect(ran.stderr).toContain("2 problems");
  });
});

test("Ctrl-C at the question exits with 130 after only a read of the list", () =>
  exited({ exitCode: 130, writes: [] }, asked("relayers pause", [cancelError("interrupted")])));

test("an update without changes suggests the relayer's editor", async () => {
  const ran = await exited({ exitCode: 2, writes: [] }, asked("relayers update eth-main-1", []));
  expect(ran.stderr).toBe(
    "error: relayers update: nothing to change; specify a field\n  hint: relayctl relayers edit eth-main-1\n",
  );
  expect((await cli("relayers update eth-main-1")).stderr).toContain("hint: relayctl relayers update --help\n");
});

test.each([
  ["--demo relayers get", "relayctl --demo relayers get --help"],
  ["-c dev relayers nope", "relayctl -c dev relayers --help"],
  ["relayers list --bogus --context=dev", "relayctl --context=dev relayers list --help"],
  ["relayers list --limit x --demo", "relayctl --demo relayers list --help"],
  ["--server http://a:b@127.0.0.1:9 relayers list --limit x", "relayctl relayers list --help"],
  ["-c dev,nope relayers list", "relayctl context list"],
])("a hint for help keeps the flags that select the service: %s", async (line, hint) => {
  const { stderr, exitCode } = await cli(line, { config: CONTEXTS });
  expect({ exitCode, hint: /hint: (.*)/.exec(stderr)?.[1] }).toEqual({ exitCode: 2, hint });
  const json = await cli(`${line} -o json`, { config: CONTEXTS });
  expect(printedError(json.stderr).hint).toBe(hint);
});

const interrupt = AbortSignal.abort();

/** A run of one payment, which was accepted and is awaited. */
const RUN = {
  world: { interrupt, spelling: { resume: "--resume" } },
  plan: { wait: {}, pace: {} },
  resumeLine: "relayctl tx send-many base-hot -f payouts.csv --resume",
} as Running;
const ENDED: Ended = { outcomes: [{ row: 1, state: "sent" }], ends: new Map(), cutOff: undefined };

test.each([
  ["a bulk run is continued by its command", bulkFailure([{ id: "r1" }], "relayers", interrupt), true],
  [
    "payments without their journal would be paid again",
    paymentRunFailure(RUN, { isLost: true } as never, ENDED),
    false,
  ],
  [
    "a send whose wait is over would be sent again",
    unfinishedWaitError(new RelayctlError("interrupted", "x"), [], { wrote: true, flags: [] }),
    false,
  ],
])("%s after Ctrl-C", (_, error, isContinued) => {
  expect(error).toBeInstanceOf(RelayctlError);
  const lines = nextCommandLines(error as RelayctlError, ["tx", "send", "r1"], "sh");
  expect(lines).toEqual(isContinued ? [{ continue: "relayctl tx send r1" }] : []);
});

describe("words at the moment", () => {
  const CONTEXTS = { version: 1 as const, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN } } };

  describe("a prompt that does not agree", () => {
    test("quotes a mistyped confirmation, and what was wanted", async () => {
      const line = "relayers freeze eth-main-1 base-hot";
      const ran = await cli(line, { terminal: true, answers: ["wrong"] });
      expect([ran.exitCode, ran.writes]).toEqual([3, []]);
      expect(ran.stderr.trimEnd().split("\n").slice(-2)).toEqual([
        '"wrong" does not match "2 relayers". Nothing was sent.',
        `  again    relayctl ${line}`,
      ]);
      const empty = await cli(line, { terminal: true, answers: [""] });
      expect(empty.stderr.trimEnd().split("\n").at(-1)).toBe("Canceled. Nothing was sent.");
    });

    test.each([
      ["label set a 0x8617E340B3D01FA5F11F306F4090FD50E238070D", { labels: { evm: { a: `0x${"1".repeat(40)}` } } }],
      ["context delete prod", {}],
    ])("on this machine says that nothing was changed: %s", async (line, more) => {
      const ran = await cli(line, { config: { ...CONTEXTS, ...more }, terminal: true, answers: [false] });
      expect([ran.exitCode, ran.stderr.trimEnd().split("\n").at(-1)]).toEqual([3, "Canceled. Nothing was changed."]);
    });
  });

  test("an undo of several payments of one relayer says that payments cannot be undone", async () => {
    const send = {
      run: "r",
      operation: "tx.send" as const,
      kind: "once" as const,
      method: "POST" as const,
      target: "/api/v1/relayers/base-hot/transactions",
      body: { to: `0x${"1".repeat(40)}`, value: "1" },
    };
    const entries = ["a", "b"].flatMap((id) => [intent(id, send), outcome(id, { run: "r" })]);
    const ran = await cli("undo r --yes", { env: {}, config: CONTEXTS, journal: memoryJournal({ entries }) });
    expect(ran.stderr).not.toContain("more than once");
    expect(ran.stderr).toContain("transactions can't be undone");
  });

  test("relayers resume of a disabled relayer says that it is disabled, in a pipe too", async () => {
    for (const flags of ["", " --diff"]) {
      const { stderr } = await cli(`--demo relayers resume eth-sepolia${flags}`, { env: {} });
      expect(stderr).toContain("eth-sepolia is disabled (nonce sync failed), not paused; resuming can't help");
    }
  });

  describe("--watch without a time", () => {
    test.each([
      "relayers list --watch",
      "relayers status --watch eth-main-1",
      "relayers list --watch --fields id",
      "tx list --watch eth-main-1",
    ])("watches every 2 seconds: %s", async (line) => {
      // The clash is validated after the time is read.
      const { exitCode, stderr } = await cli(`${line} -o csv`);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--watch: cannot be combined with -o csv")]);
      expect(stderr).not.toContain("problems");
    });

    test.each(["5", "5x", "100ms"])("refuses a time that is none: --watch %s", async (time) => {
      await ends(
        { exitCode: 2, stderr: expect.stringContaining(`--watch ${time}: `) },
        `relayers list --watch ${time}`,
      );
    });
  });

  test("doctor identifies the transaction of a finding in text, JSON, and JUnit", async () => {
    const subject = "nonce 7 (6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50) has max fee";
    const lineFiles = new Map<string, string[]>();
    for (const format of ["tsv", "json"]) {
      const ran = await cli(`--demo doctor eth-main-1 -o ${format} --junit ${format}.xml`, { env: {}, lineFiles });
      expect(ran.stdout, ran.stderr).toContain(subject);
    }
    expect([...lineFiles.values()].join("")).toContain(subject);
  });
});
