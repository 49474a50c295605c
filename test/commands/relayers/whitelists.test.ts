import { describe, expect, test } from "vitest";
import { cli } from "../../helpers/cli.ts";
import type { World } from "../../helpers/test-app.ts";

const TREASURY = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const PROGRAM = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const LABELS = { evm: { treasury: TREASURY }, solana: { program: PROGRAM } };
const WRONG_CHECKSUM = "0x52908400098527886E0F7030069857D2E4169Ee7";

const world = (policies: object = {}): World => ({
  config: { version: 1, contexts: {}, labels: LABELS },
  files: {
    "body.json": JSON.stringify({ policies }),
    "policies.json": JSON.stringify(policies),
    "config.json": JSON.stringify({
      relayers: [
        { id: "r", name: "r", network: "mainnet", network_type: "evm", paused: false, signer_id: "s", policies },
      ],
    }),
  },
});

/** Every way to type a list of addresses of an EVM relayer, with the list. */
const WAYS: readonly (readonly [string, (list: string) => readonly [readonly string[], World]])[] = [
  ["--policy", (item) => [[`--policy`, `whitelist_receivers=${item}`], world()]],
  ["--policy with JSON", (item) => [["--policy", `whitelist_receivers=["${item}"]`], world()]],
  ["-f", (item) => [["-f", "body.json"], world({ whitelist_receivers: [item] })]],
  ["--policies", (item) => [["--policies", "policies.json"], world({ whitelist_receivers: [item] })]],
];

describe.each(WAYS)("a whitelist in %s", (_, way) => {
  const run = async (item: string) => {
    const [flags, given] = way(item);
    return await cli(["relayers", "update", "eth-main-1", ...flags, "--yes"], given);
  };

  test("has the address of a label", async () => {
    const { exitCode, writes, stderr } = await run("@treasury");
    expect(exitCode, stderr).toBe(0);
    expect(writes.map(({ body }) => body)).toEqual([`{"policies":{"whitelist_receivers":["${TREASURY}"]}}`]);
  });

  test.each(["@nobody", "@program", "treasury", "0x12", WRONG_CHECKSUM, PROGRAM])("refuses %s", async (item) => {
    const { exitCode, writes, stderr } = await run(item);
    expect({ exitCode, writes }, stderr).toEqual({ exitCode: 2, writes: [] });
  });
});

test.each(["allowed_programs", "allowed_accounts", "disallowed_accounts"])(
  "%s of a Solana relayer takes labels too",
  async (key) => {
    const ran = await cli(["relayers", "update", "sol-pay", "--policy", `${key}=@program`, "--yes"], world());
    expect(ran.writes.map(({ body }) => body)).toEqual([`{"policies":{"${key}":["${PROGRAM}"]}}`]);
    expect((await cli(["relayers", "update", "sol-pay", "--policy", `${key}=@treasury`], world())).exitCode).toBe(2);
  },
);

test.each(["plan", "apply", "drift"])(
  "%s refuses a text that cannot be an address in the file of a fleet",
  async (command) => {
    for (const item of ["0x12", "@treasury", WRONG_CHECKSUM]) {
      const { exitCode, writes, stderr } = await cli(
        [command, "-f", "config.json", ...(command === "apply" ? ["--yes"] : [])],
        world({ whitelist_receivers: [item] }),
      );
      expect({ exitCode, writes }, stderr).toEqual({ exitCode: 2, writes: [] });
      expect(stderr).toContain("whitelist_receivers");
    }
  },
);

const NEW = ["relayers", "create", "--name", "New", "--signer-id", "s-new"];
const OF_KIND = {
  evm: ["--network", "sepolia", "--network-type", "evm"],
  solana: ["--network", "devnet", "--network-type", "solana"],
} as const;
const FIELDS = [
  ["evm", "whitelist_receivers", "treasury", TREASURY, ["0x12", "@nobody", "@program", WRONG_CHECKSUM]],
  ["solana", "allowed_programs", "program", PROGRAM, ["0x12", "@nobody", "@treasury", TREASURY]],
  ["solana", "allowed_accounts", "program", PROGRAM, ["0x12", "@nobody", "@treasury", TREASURY]],
  ["solana", "disallowed_accounts", "program", PROGRAM, ["0x12", "@nobody", "@treasury", TREASURY]],
] as const;

/** The other places where a list of addresses of each kind is given. */
const PLACES: Readonly<Record<string, (kind: "evm" | "solana", key: string, item: string) => [string[], World]>> = {
  "create --policy": (kind, key, item) => [[...NEW, ...OF_KIND[kind], "--policy", `${key}=${item}`], world()],
  "create -f": (kind, key, item) => [[...NEW, ...OF_KIND[kind], "-f", "body.json"], world({ [key]: [item] })],
};

describe.each(Object.entries(PLACES))("a list of addresses in %s", (_, place) => {
  test.each(FIELDS)(
    "of %s relayers, %s, has the address of a label, and refuses any other text",
    async (kind, key, label, address, wrong) => {
      const [argv, given] = place(kind, key, `@${label}`);
      const { writes, stderr } = await cli(argv, given);
      expect(JSON.parse(writes[0]?.body ?? "{}").policies?.[key], stderr).toEqual([address]);
      for (const item of wrong) {
        const [line, other] = place(kind, key, item);
        const ran = await cli(line, other);
        expect(ran.writes, `${item}: ${ran.stderr}`).toEqual([]);
        expect(ran.exitCode, ran.stderr).toBe(2);
      }
    },
  );
});
