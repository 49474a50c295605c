import type { ServerStore } from "../../../src/embedded-server/state/store.ts";
import { cli, ends, exits, inProd, SERVER } from "../../helpers/cli.ts";
import { appliedIn, CANNOT_UNDO, NOTIFICATION_UNSET, UNDO, undoIn, WHILE_PAUSED } from "../../helpers/receipts.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { argvUnderSh } from "../../helpers/shell.ts";

async function relayer(store: ServerStore, id: string): Promise<string> {
  return (await cli(`relayers get ${id} -o json`, { store })).stdout;
}

/** The argument list of the `undo:` line, as a shell would read it. */
function undoOf(stderr: string): string[] {
  const [command] = undoIn(stderr);
  if (!command) throw new Error(`there is no undo line in:\n${stderr}`);
  return argvUnderSh("relayctl", command);
}

/** A cap that falls a thousandfold is asked about; its undo line agrees by itself. */
function isLeap(flags: readonly string[]): boolean {
  return flags.includes("gas_price_cap=1wei");
}

describe("the undo command of a receipt restores the previous state", () => {
  test.each([
    ["eth-main-1", ["--paused"]],
    ["eth-main-2", ["--no-paused"]],
    ["eth-main-1", ["--name", "It's $HOME now"]],
    ["eth-main-1", ["--no-notification-id"]],
    ["eth-sepolia", ["--notification-id", "ops-hook"]],
    ["eth-main-1", ["--policy", "gas_price_cap=120gwei", "--policy", "private_transactions=true"]],
    ["eth-main-1", ["--unset-policy", "min_balance", "--policy", "eip1559_pricing=false"]],
    ["eth-main-2", ["--unset-policy", "whitelist_receivers"]],
    ["eth-main-2", ["--reset-policies"]],
    ["eth-sepolia", ["--rpc-url", "https://a.example/v2,weight=3"]],
    ["eth-main-2", ["--policy", 'whitelist_receivers=["0x8617E340B3D01FA5F11F306F4090FD50E238070D"]']],
    ["polygon-bulk", ["--policy", "gas_price_cap=1wei", "--paused", "--name", "x"]],
    [
      "sol-pay",
      [
        "--policy",
        "swap_config.strategy=jupiter-swap",
        "--policy",
        "swap_config.jupiter_swap_options.priority_level=high",
        "--policy",
        "swap_config.jupiter_swap_options.priority_fee_max_lamports=1000",
      ],
    ],
    ["sol-pay", ["--policy", "min_balance=1sol", "--policy", "fee_margin_percentage=1.50"]],
    ["sol-pay", ["--unset-policy", "allowed_tokens"]],
    [
      "xlm-treasury",
      ["--policy", "timeout_seconds=30", "--policy", "slippage_percentage=0.5", "--policy", "max_fee=0.1xlm"],
    ],
  ])("%s %j", async (id, flags) => {
    const store = demoStore();
    const before = await relayer(store, id);
    const world = { store, terminal: true, stdoutTerminal: false, answers: [isLeap(flags) ? true : id] };
    const done = await exits(0, ["relayers", "update", id, ...flags], world);
    expect(await relayer(store, id)).not.toBe(before);
    await exits(0, undoOf(done.stderr), world);
    expect(JSON.parse(await relayer(store, id))).toEqual(JSON.parse(before));
  });

  test("even within an existing object", async () => {
    const store = demoStore();
    await cli(
      ["relayers", "update", "sol-pay", "--policy", 'swap_config={"strategy":"noop","min_balance_threshold":5}'],
      { store },
    );
    const before = await relayer(store, "sol-pay");
    const flags = [
      "--policy",
      "swap_config.strategy=jupiter-swap",
      "--unset-policy",
      "swap_config.min_balance_threshold",
    ];
    const done = await cli(["relayers", "update", "sol-pay", ...flags], { store });
    expect(done.stderr).toContain(
      ": 2 changes to sol-pay\n" +
        "  swap_config.strategy               noop → jupiter-swap\n" +
        "  swap_config.min_balance_threshold  0.000000005 SOL → not set\n",
    );
    await cli(undoOf(done.stderr), { store });
    expect(JSON.parse(await relayer(store, "sol-pay"))).toEqual(JSON.parse(before));
  });

  test("even for a notification", async () => {
    const store = demoStore();
    const done = await cli("notifications update ops-hook --url https://new.example.org --diff", { store });
    expect(done.stderr).toBe(
      `update notification ops-hook in ${SERVER}\n` +
        "  url  https://hooks.example.org/relayers/ops → https://new.example.org\n" +
        `${appliedIn(SERVER)}ops-hook url https://hooks.example.org/relayers/ops → https://new.example.org\n` +
        `${UNDO}relayctl notifications update ops-hook --url https://hooks.example.org/relayers/ops\n`,
    );
    await cli(undoOf(done.stderr), { store });
    expect((await cli("notifications get ops-hook --fields url", { store })).stdout).toContain("relayers/ops");
  });

  test.each([
    ["relayers update eth-main-1 --rpc-url https://a.example", "the service masks the previous custom_rpc_urls"],
    [
      "relayers update eth-main-1 --paused --rpc-url https://a.example",
      "the service masks the previous custom_rpc_urls",
    ],
    ["notifications update ops-hook --remove-signing-key --yes", "the previous signing key cannot be read"],
    [
      "notifications update ops-hook --url https://a.example --signing-key-file key",
      "the previous signing key cannot be read",
    ],
  ])("no undo command is printed without all previous values, only the reason: %s", async (line, why) => {
    const ran = await exits(0, `${line} --diff`, { files: { key: "k".repeat(32) } });
    expect(ran.stderr).not.toContain(UNDO);
    expect(ran.stderr).toContain(`\n${CANNOT_UNDO}: ${why}\n`);
  });

  test("a new signing key is removed by the undo command", async () => {
    const store = demoStore();
    const world = { store, files: { key: "k".repeat(32) } };
    const done = await cli("notifications update audit-log --signing-key-file key --diff", world);
    expect(done.stderr).toContain(`${appliedIn("http://127.0.0.1:8080")}audit-log signing key none → set\n`);
    await cli([...undoOf(done.stderr), "--yes"], world);
    expect((await cli("notifications get audit-log", { store })).stdout).toContain("has_signing_key\tfalse");
  });
});

test("shows the context, and its commands use the same service", async () => {
  const line = "relayers update eth-main-1 --policy gas_price_cap=120gwei";
  const ran = await cli(line, inProd());
  expect(ran.stderr).toBe(
    `${appliedIn("prod")}eth-main-1 gas_price_cap 80 gwei → 120 gwei\n` +
      `${UNDO}relayctl -c prod relayers update eth-main-1 --policy gas_price_cap=80gwei\n`,
  );
  const demo = await cli("--demo relayers update eth-main-1 --paused --diff", { env: {} });
  expect(demo.stderr).toBe(
    "pause relayer eth-main-1 in demo\n" +
      "  paused  no → yes\n" +
      `paused: ${WHILE_PAUSED}\n` +
      `${appliedIn("demo")}eth-main-1 paused\n${UNDO}relayctl --demo relayers resume eth-main-1\n`,
  );
});

test("shows the consequences if no question showed them", async () => {
  const line = "relayers update eth-main-2 --unset-policy whitelist_receivers --network-type evm --confirm eth-main-2";
  expect((await cli(line)).stderr).toBe(
    `${appliedIn(SERVER)}eth-main-2 whitelist_receivers → not set\n` +
      "whitelist_receivers is unset: this relayer may send to any address\n",
  );
});

test("has a line for each of several changes, even if the old values are unknown", async () => {
  const ran = await cli("relayers update eth-main-1 --name x --no-notification-id");
  expect(ran.stderr).toBe(
    `${appliedIn(SERVER)}2 changes to eth-main-1\n` +
      "  name             → x\n" +
      "  notification_id  → not set\n" +
      `${NOTIFICATION_UNSET}\n`,
  );
});

test("omits fields that were already set", async () => {
  const ran = await cli("relayers update eth-main-1 --name 'Mainnet 1' --paused --diff");
  expect(ran.stderr).toContain(": eth-main-1 paused\n");
  expect(ran.stderr).not.toContain("name");
});

test("is not printed with --quiet", async () =>
  expect(await cli("relayers pause eth-main-1 --diff -q")).toMatchObject({ exitCode: 0, stderr: "" }));

test("lists unconfirmed fields", async () => {
  const ran = await exits(0, "relayers update eth-main-1 --rpc-url https://rpc.example.org/v2/KEY");
  expect(ran.stderr).toContain("note: not confirmed by the response: custom_rpc_urls\n");
  expect(ran.stdout + ran.stderr).not.toContain("KEY");
});

test("escapes text from the service", async () => {
  const store = demoStore();
  await cli(["relayers", "update", "eth-main-1", "--name", "\u001b[2J\u202enasty\nline"], { store });
  const ran = await cli("relayers update eth-main-1 --name plain --diff", { store });
  expect(ran.stderr.split("\n").slice(1, 3)).toEqual([
    "  name  \\u{1b}[2J\\u{202e}nasty\\u{a}line → plain",
    `${appliedIn(SERVER)}eth-main-1 name \\u{1b}[2J\\u{202e}nasty\\u{a}line → plain`,
  ]);
});

describe("values that are already set are not sent", () => {
  test.each([
    ["relayers pause eth-main-2", "eth-main-2 is already paused; nothing was sent\n"],
    ["relayers resume eth-main-1", "eth-main-1 is not paused; nothing was sent\n"],
    [
      "relayers update eth-main-1 --name 'Mainnet 1' --policy gas_price_cap=80gwei",
      "eth-main-1: already set; nothing was sent\n",
    ],
    ["relayers update eth-sepolia --no-notification-id", "eth-sepolia: already set; nothing was sent\n"],
    [
      "notifications update ops-hook --url https://hooks.example.org/relayers/ops",
      "ops-hook: already set; nothing was sent\n",
    ],
    ["notifications update audit-log --remove-signing-key --yes", "audit-log: already set; nothing was sent\n"],
  ])("%s", async (line, told) => {
    const ran = await ends({ exitCode: 0, stderr: told, writes: [] }, `${line} --diff`);
    expect(ran.stdout).not.toBe("");
  });

  test("unless nothing was read, without --diff and a terminal", async () =>
    expect((await cli("relayers pause eth-main-2")).writes).toHaveLength(1));

  test("except a URL that the service masks", async () => {
    const line =
      "relayers update eth-main-1 --rpc-url https://rpc.example.org/other,weight=80 --rpc-url https://backup.example.org,weight=20";
    expect((await cli(`${line} --diff`)).writes).toHaveLength(1);
  });
});
