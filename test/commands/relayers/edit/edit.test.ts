import type { Transport } from "../../../../src/client/transport/transport.ts";
import { cancelError } from "../../../../src/errors.ts";
import { cli, ends, exited, exits, inProd, SERVER, TOKEN, type World } from "../../../helpers/cli.ts";
import { drawnChange, WHILE_PAUSED } from "../../../helpers/receipts.ts";
import type { ScriptedAnswer } from "../../../helpers/scripted-prompts.ts";
import { demoStore } from "../../../helpers/seed-state.ts";
import { refusal, success } from "../../../helpers/service/reply.ts";
import { scriptedService } from "../../../helpers/service/scripted-service.ts";
import { testServer } from "../../../helpers/service/test-server.ts";

const edit = (id: string, answers: readonly ScriptedAnswer[], world: World = {}) =>
  cli(`relayers edit ${id}`, { terminal: true, answers, ...world });
const bodiesOf = ({ writes }: { writes: readonly { body?: string }[] }) =>
  writes.map(({ body = "" }) => JSON.parse(body));

const FIRST = "0x52908400098527886E0F7030069857D2E4169EE7";
const SECOND = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

test.each<[string, string, readonly ScriptedAnswer[], object]>([
  ["a name", "eth-main-1", [["name"], "Main"], { name: "Main" }],
  ["a pause", "eth-main-1", [["paused"], `pause: ${WHILE_PAUSED}`], { paused: true }],
  ["another notification", "eth-main-1", [["notification"], "audit-log"], { notification_id: "audit-log" }],
  ["no notification", "eth-main-1", [["notification"], "clear"], { notification_id: null }],
  [
    "RPC URLs",
    "eth-main-1",
    [["rpc urls"], "replace the whole list", "https://a.example/key", "7", "https://b.example", "", ""],
    {
      custom_rpc_urls: [
        { url: "https://a.example/key", weight: 7 },
        { url: "https://b.example", weight: 100 },
      ],
    },
  ],
  ["no custom RPC URLs", "eth-main-1", [["rpc urls"], "clear"], { custom_rpc_urls: null }],
  [
    "an amount and a flag",
    "eth-main-1",
    [["gas_price_cap", "eip1559_pricing"], "no", "set another", "120gwei"],
    { policies: { eip1559_pricing: false, gas_price_cap: 120_000_000_000 } },
  ],
  ["a cleared amount", "eth-main-1", [["gas_price_cap"], "clear"], { policies: { gas_price_cap: null } }],
  [
    "a list",
    "eth-main-2",
    [["whitelist_receivers"], "remove one", FIRST, "add", `0x${"a".repeat(40)}`, "", "done"],
    { policies: { whitelist_receivers: [SECOND, `0x${"a".repeat(40)}`] } },
  ],
  [
    "one token with several fields",
    "sol-pay",
    [["allowed_tokens"], "change one", MINT, ["max_allowed_fee", "decimals"], "clear", "set another", "5", "done"],
    { policies: { allowed_tokens: [{ mint: MINT, decimals: null, symbol: "USDC", max_allowed_fee: 5 }] } },
  ],
  [
    "an object within an object",
    "sol-pay",
    [
      ["swap_config"],
      "set its fields",
      ["strategy", "jupiter_swap_options"],
      "jupiter-swap",
      "set its fields",
      ["priority_fee_max_lamports", "priority_level"],
      "set it",
      "0.001sol",
      "veryHigh",
    ],
    {
      policies: {
        swap_config: {
          strategy: "jupiter-swap",
          jupiter_swap_options: { priority_fee_max_lamports: 1_000_000, priority_level: "veryHigh" },
        },
      },
    },
  ],
  [
    "two policies that require each other",
    "xlm-treasury",
    [
      ["fee_payment_strategy", "swap_config", "max_fee"],
      "user",
      "set it",
      "0.1xlm",
      "set its fields",
      ["strategies", "cron_schedule"],
      "add",
      "soroswap",
      "add",
      "order-book",
      "done",
      "set it",
      "@daily",
    ],
    {
      policies: {
        fee_payment_strategy: "user",
        max_fee: 1_000_000,
        swap_config: { strategies: ["soroswap", "order-book"], cron_schedule: "@daily" },
      },
    },
  ],
  [
    "a token with its metadata",
    "xlm-treasury",
    [
      ["allowed_tokens"],
      "add",
      "native",
      ["metadata", "swap_config"],
      "set it",
      '{"kind":"native","decimals":7,"canonical_asset_id":"native"}',
      "set its fields",
      ["slippage_percentage"],
      "set it",
      "1.50",
      "done",
    ],
    {
      policies: {
        allowed_tokens: [
          {
            asset: "native",
            metadata: { kind: "native", decimals: 7, canonical_asset_id: "native" },
            swap_config: { slippage_percentage: 1.5 },
          },
        ],
      },
    },
  ],
])("sends the smallest patch for %s", async (_, id, answers, body) => {
  const ran = await exited({ exitCode: 0 }, edit(id, [...answers, true]));
  expect(ran.questions.at(-1)).toMatch(/^(?:Update|Pause) relayer .+\?$/);
  expect(bodiesOf(ran)).toEqual([body]);
  expect(ran.stderr).toMatch(new RegExp(`^${drawnChange(SERVER, id)}`, "m"));
});

describe("rejects an invalid value at its prompt and keeps the others:", () => {
  test("amounts, addresses, URLs and weights", async () => {
    const ran = await edit("eth-main-2", [
      ["name", "rpc urls", "gas_price_cap", "whitelist_receivers"],
      "Kept",
      "replace the whole list",
      "rpc.example.org",
      "https://rpc.example.org/***",
      "https://a.example/key",
      "101",
      "x",
      "50",
      "https://a.example/key",
      "",
      "set another",
      "120,5gwei",
      "120 gwei",
      "add",
      "0x8617E340B3D01FA5F11F306F4090FD50E238070",
      FIRST,
      "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
      "",
      "done",
      true,
    ]);
    expect(ran.questions.filter((line) => line.startsWith("  "))).toEqual([
      "  an http or https URL, e.g. https://rpc.example.org/v1/key",
      expect.stringMatching(/^ {2}is masked by the service; .*e.g./),
      "  a whole number from 0 to 100, e.g. 50",
      "  a whole number from 0 to 100, e.g. 50",
      "  this URL is already in the list",
      "  needs digits, optionally with a unit, e.g. 30gwei or 1.5gwei",
      `  an address has 40 hex digits, this one has 39, e.g. ${FIRST}`,
      `  ${FIRST} is already in the list`,
    ]);
    expect(bodiesOf(ran)).toMatchObject([{ name: "Kept", policies: { gas_price_cap: 120_000_000_000 } }]);
  });

  test("two lists of accounts", async () => {
    const ran = await edit("sol-pay", [
      ["allowed_accounts", "disallowed_accounts"],
      "add",
      MINT,
      "",
      "done",
      "add",
      MINT,
      "",
      "leave unset",
      true,
    ]);
    expect(ran.questions).toContain("  allowed_accounts and disallowed_accounts cannot be both present");
    expect(bodiesOf(ran)).toEqual([{ policies: { allowed_accounts: [MINT] } }]);
  });

  test("a choice that breaks a rule, which cannot be chosen and shows the rule", () =>
    expect(edit("xlm-treasury", [["fee_payment_strategy"], "clear"])).rejects.toThrow(
      "clear cannot be chosen: Fee payment strategy is required",
    ));

  test("a missing policy field, which is requested before the review", async () => {
    const ran = await edit("sol-pay", [
      ["swap_config"],
      "set its fields",
      ["strategy", "jupiter_swap_options"],
      "jupiter-swap",
      "set its fields",
      ["priority_level"],
      "high",
      "change its fields",
      ["jupiter_swap_options"],
      "clear",
      true,
    ]);
    expect(ran.stderr).toContain(
      "  swap_config.jupiter_swap_options.priority_fee_max_lamports: Priority Fee Max lamports must be set if priority level is set\n",
    );
    expect(ran.exitCode).toBe(0);
  });
});

describe("sends nothing", () => {
  test.each<[string, readonly ScriptedAnswer[]]>([
    ["if no part is selected", [[]]],
    [
      "if every part is left unchanged",
      [["name", "gas_price_cap", "whitelist_receivers"], "", "keep 80 gwei (80000000000)", "keep 2 entries"],
    ],
    ["if an amount is entered that is already set", [["gas_price_cap"], "set another", "0.00000008eth"]],
    [
      "if an entry is removed and added again",
      [["whitelist_receivers"], "remove one", SECOND, "add", SECOND, "", "done"],
    ],
  ])("%s: exits with 0 and a message", async (_, answers) => {
    const ran = await exited({ exitCode: 0, writes: [] }, edit("eth-main-2", answers));
    expect(ran.stderr).toContain("no changes; nothing was sent\n");
    expect(ran.stdout).toBe("");
    expect(ran.questions).not.toContainEqual(expect.stringMatching(/^(?:Update|Pause) relayer /));
  });

  test("if the review is declined", async () => {
    const ran = await exited({ exitCode: 3, writes: [] }, edit("eth-main-1", [["name"], "Main", false]));
    expect(ran.stderr).toContain("Canceled. Nothing was sent.");
  });

  test.each([0, 1, 2, 3])("if Ctrl-C is pressed after %d values", async (count) => {
    const script = [["gas_price_cap"], "set another", "120gwei"];
    const stop = cancelError("interrupted").with({ because: ["nothing was sent"] });
    const ran = await exited({ exitCode: 130, writes: [] }, edit("eth-main-1", [...script.slice(0, count), stop]));
    expect(ran.stderr).toContain("Canceled. Nothing was sent.");
  });

  test.each([
    ["without a terminal", { terminal: false }, "", "no terminal is attached"],
    ["with --no-input", {}, " --no-input", "--no-input rules out prompts"],
    ["in CI", { env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, CI: "1" } }, "", "CI rules out prompts"],
    ["without a terminal, for a dry run", { terminal: false }, " --dry-run", "no terminal is attached"],
  ])("%s, before any read: exits with 3", async (_, world: World, flags, why) => {
    const ran = await cli(`relayers edit eth-main-1${flags}`, { terminal: true, ...world });
    expect(ran).toMatchObject({ exitCode: 3, requests: [], questions: [] });
    expect(ran.stderr).toContain(`relayers edit prompts for values, but ${why}`);
    expect(ran.stderr).toContain("hint: relayctl relayers update eth-main-1 --help");
  });

  test("for an ID from stdin, since stdin is needed for prompts", async () =>
    expect(await cli("relayers edit -", { stdin: "eth-main-1" })).toMatchObject({ exitCode: 2, requests: [] }));

  test("for an unknown relayer", async () =>
    expect(await edit("nobody", [])).toMatchObject({ exitCode: 5, writes: [], questions: [] }));
});

test.each([
  ["--dry-run", "PATCH /api/v1/relayers/eth-main-1\n"],
  ["--curl", "curl -X PATCH"],
])("a dry run with %s prints the request after the prompts, without a review", async (flag, shown) => {
  const answers = [["rpc urls", "gas_price_cap"], "replace the whole list", "https://a.example/key", "", "", "clear"];
  const ran = await ends({ exitCode: 0, writes: [] }, `relayers edit eth-main-1 ${flag}`, { terminal: true, answers });
  expect(ran.stdout).toContain(shown);
  expect(ran.stdout).toContain("RPC_URL_1:?}");
  expect(ran.stdout).toContain('"gas_price_cap":null');
  expect(ran.stdout).not.toContain("a.example/key");
  expect(ran.questions).not.toContainEqual(expect.stringMatching(/^(?:Update|Pause) relayer /));
});

describe("asks for confirmation once, depending on the change:", () => {
  const unset = [["whitelist_receivers"], "clear"];

  test("the relayer's ID for clearing its whitelist, with a warning", async () => {
    const ran = await exited({ exitCode: 0 }, edit("eth-main-2", [...unset, "eth-main-2"]));
    expect(ran.questions.slice(2)).toEqual([
      expect.stringMatching(/^(?:Update|Pause) relayer .+\? Type "eth-main-2" to confirm:$/),
    ]);
    expect(ran.stderr).toContain("this relayer may send to any address");
    expect(bodiesOf(ran)).toEqual([{ policies: { whitelist_receivers: null } }]);
  });

  test("the relayer's ID for an empty whitelist, with a warning", async () => {
    const ran = await edit("eth-main-2", [["whitelist_receivers"], "remove all", "done", "eth-main-1"]);
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain("this relayer may send only to itself and the zero address");
  });

  test("the name of a protected context", async () => {
    const ran = await exited(
      { exitCode: 0 },
      edit("eth-main-1", [["name"], "Main", "prod"], inProd({ protected: true })),
    );
    expect(ran.questions.slice(2)).toEqual([
      expect.stringMatching(/^(?:Update|Pause) relayer .+\? Type "prod" to confirm:$/),
    ]);
  });

  test("nothing with --yes", async () => {
    const ran = await exits(0, "relayers edit eth-main-1 --yes", { terminal: true, answers: [["name"], "Main"] });
    expect(bodiesOf(ran)).toEqual([{ name: "Main" }]);
  });
});

describe("a concurrent change by someone else", () => {
  /** A service in which another operator writes after the first read. */
  function shared(flags: string): World {
    const store = demoStore();
    const demo = testServer({ store });
    let reads = 0;
    const service: Transport = async (request) => {
      if (request.method === "GET" && ++reads === 2) await cli(`relayers update eth-main-2 ${flags}`, { store });
      return await demo(request);
    };
    return { service };
  }

  test.each([
    ["the same policy", "--policy gas_price_cap=90gwei", "policies.gas_price_cap", "gas_price_cap 80 gwei → 90 gwei"],
    ["the same list", `--policy 'whitelist_receivers=["${FIRST}"]'`, "policies.whitelist_receivers", `  - ${SECOND}`],
    ["the name", "--name Theirs", "name", "→ Theirs"],
  ])("of %s exits with 6, sends nothing, and shows the new value", async (_, flags, path, now) => {
    const answers = [
      ["name", "gas_price_cap", "whitelist_receivers"],
      "Ours",
      "clear",
      "remove one",
      SECOND,
      "done",
      true,
    ];
    const ran = await exited({ exitCode: 6, writes: [] }, edit("eth-main-2", answers, shared(flags)));
    expect(ran.stderr).toContain(`${path} of eth-main-2 changed in the meantime`);
    expect(ran.stderr).toContain(`${now}\n`);
    expect(ran.stderr).toContain("hint: relayctl relayers edit eth-main-2\n");
  });

  test("of another field is left unchanged", async () => {
    const ran = await exited(0, edit("eth-main-2", [["gas_price_cap"], "clear", true], shared("--name Theirs")));
    expect(bodiesOf(ran)).toEqual([{ policies: { gas_price_cap: null } }]);
  });
});

describe("the equivalent command", () => {
  test.each<[string, string, readonly ScriptedAnswer[], string]>([
    [
      "has names, amounts, and cleared fields",
      "eth-main-1",
      [["name", "notification", "gas_price_cap"], "It's mine", "clear", "set another", "99.5gwei"],
      "eth-main-1 --name 'It'\\''s mine' --no-notification-id --policy gas_price_cap=99.5gwei",
    ],
    [
      "has the weights of RPC URLs, and a shell variable for a key",
      "eth-main-1",
      [["rpc urls"], "replace the whole list", "https://a.example/v2/KEY", "7", "https://b.example", "", ""],
      `eth-main-1 --rpc-url "\${RPC_URL_1:?}",weight=7 --rpc-url https://b.example,weight=100`,
    ],
    [
      "has lists",
      "eth-main-2",
      [["whitelist_receivers"], "remove one", SECOND, "done"],
      `'whitelist_receivers=["${FIRST}"]'`,
    ],
  ])("%s, and is last after a declined review", async (_, id, answers, command) => {
    const ran = await edit(id, [...answers, false]);
    const [last = ""] = / {2}again {4}relayctl relayers update .*\n$/.exec(ran.stderr) ?? [];
    expect(last).toContain(command);
    expect(ran.stderr).not.toContain("without questions");
    expect(ran.stderr).not.toContain("KEY");
  });

  test("is last if the service refuses the change", async () => {
    const before = { reply: success({ id: "eth-main-1", name: "Mainnet 1" }) };
    const service = scriptedService(before, before, { reply: refusal(400, "Invalid name") }).transport;
    const ran = await exited({ exitCode: 7 }, edit("eth-main-1", [["name"], "Main", true], { service }));
    expect(ran.stderr).toMatch(
      / {2}hint: .* --dry-run\n {2}again {4}relayctl relayers update eth-main-1 --name Main\n$/,
    );
  });
});

describe("the prompts show", () => {
  test("the relayer on one line, even with --quiet", async () => {
    const ran = await cli("relayers edit xlm-pay --quiet", { terminal: true, answers: [[]] });
    expect(ran.stderr).toContain(`xlm-pay · Stellar pay · testnet (stellar) · disabled · 2 reasons · ${SERVER}\n`);
  });

  test("that a disabled relayer accepts no changes, also in the editor", async () => {
    const words = "warning: the service has disabled this relayer (";
    expect((await edit("xlm-pay", [[]])).stderr).toMatch(
      /; services up to v1\.8 reject every change until they enable the relayer/,
    );
    const ran = await cli("relayers edit xlm-pay --editor", { terminal: true, edits: [(text) => text] });
    expect(ran.stderr).toContain(words);
    expect((await edit("xlm-treasury", [[]])).stderr).not.toContain(words);
  });

  test("the current entries of a list above each question about the list", async () => {
    const ran = await edit("eth-main-2", [["whitelist_receivers"], "remove one", FIRST, "done", false]);
    const listed = ran.stderr.split("\n").filter((line) => /^ {2}0x/.test(line));
    expect(listed).toEqual([`  ${FIRST}`, `  ${SECOND}`, `  ${SECOND}`]);
  });

  test("yes and no for a flag, as in the review", async () => {
    const ran = await edit("eth-main-1", [["eip1559_pricing"], "no", false]);
    expect(ran.stderr).toContain("  eip1559_pricing  yes → no\n");
  });

  test("a search for a long list", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `0x${String(index).padStart(40, "0")}`);
    const store = demoStore();
    await cli(["relayers", "update", "eth-main-1", "--policy", `whitelist_receivers=${JSON.stringify(many)}`], {
      store,
    });
    const answers = [["whitelist_receivers"], "remove one", many[7] ?? "", "done", true];
    const ran = await exited(0, edit("eth-main-1", answers, { store }));
    expect(ran.offered.find((choices) => choices.includes(many[39] ?? ""))).toHaveLength(40);
    expect(ran.stderr).toContain(`  ${many[9]}\n  and 30 more\n`);
  });

  test("everything but the policies for an unknown network type", async () => {
    const relayer = { id: "r1", name: "New", network_type: "cosmos", policies: { x: 1 } };
    const service: Transport = async () => success(relayer);
    await exited({ exitCode: 0, writes: [] }, edit("r1", [["name"], ""], { service }));
  });
});
