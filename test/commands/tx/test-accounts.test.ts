import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Address, HdKey, Hex, Mnemonic, Secp256k1 } from "ox";
import { testAccountsIn } from "../../../src/contract/test-accounts.ts";
import { cli, type World } from "../../helpers/cli.ts";
import { success } from "../../helpers/service/reply.ts";
import { payingWorld } from "./send-many/paying-world.ts";
import { sendingService } from "./sending-service.ts";
import { EARLIER, evmRecord } from "./wire.ts";

const PHRASE = "test test test test test test test test test test test junk";
const ACCOUNTS = Array.from({ length: 20 }, (_, index) => {
  const privateKey = Mnemonic.toPrivateKey(PHRASE, { as: "Hex", path: HdKey.path({ index }) });
  return Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey }), { checksum: true });
});
const [FIRST = "0x"] = ACCOUNTS;
const OTHER = "0xde709f2102306220921060314715629080e2fb77";
const WARNING = `warning: ${FIRST.toLowerCase()} is a well-known test account: its private key is public`;

test("the list has the first 20 accounts of the mnemonic, in any case, as receivers and in call data", () => {
  for (const address of ACCOUNTS) {
    const account = address.toLowerCase();
    expect(testAccountsIn({ to: address, data: null })).toEqual([account]);
    expect(testAccountsIn({ to: OTHER, data: `0xa9059cbb${Hex.padLeft(address, 32).slice(2)}` })).toEqual([account]);
  }
  const next = Mnemonic.toPrivateKey(PHRASE, { as: "Hex", path: HdKey.path({ index: 20 }) });
  expect(
    testAccountsIn({ to: Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey: next })), data: null }),
  ).toEqual([]);
});

/** A service whose network has these fields; without them, its networks cannot be read. */
function on(network: object | undefined): World {
  const service = sendingService();
  return {
    service: async (request, bounds) => {
      const { method, target } = request;
      if (target.includes("/networks/") && network)
        return success(JSON.stringify({ id: "evm:localhost-anvil", name: "localhost-anvil", ...network }));
      if (!target.endsWith("/tx-evm")) return await service(request, bounds);
      const record = evmRecord({ id: "tx-evm", to: FIRST, value: "0x1" });
      return success(JSON.stringify(method === "PUT" ? { ...record, hash: EARLIER } : record));
    },
  };
}

const MAINNET = on({ chain_id: 1, is_testnet: false, symbol: "ETH" });
const WAYS = [
  `tx send evm-1 --to ${FIRST} --value 1 --speed fast`,
  `tx send evm-1 --to ${FIRST.toLowerCase()} --value 0.01eth --gas-price 30gwei`,
  `tx send evm-1 --to ${OTHER} --value 0 --speed fast --call transfer(address,uint256) --arg ${FIRST} --arg 5`,
  `tx replace evm-1 tx-evm --to ${FIRST} --value 1 --speed fast`,
  `api POST /relayers/evm-1/transactions -F to=${FIRST} -F value=1 -F speed=fast`,
];

describe.each(WAYS)("%s", (line) => {
  test("warns before it is sent, in a script and above the question", async () => {
    const script = await cli(`${line} --yes`, MAINNET);
    expect(script.stderr).toContain(WARNING);
    expect(script.writes).toHaveLength(1);
    const asked = await cli(line, { ...MAINNET, terminal: true, answers: [false] });
    expect([asked.exitCode, asked.writes, asked.questions.length]).toEqual([3, [], 1]);
    expect(asked.stderr.replaceAll(/\s+/g, " ")).toContain(WARNING);
    const quiet = await cli(`${line} --quiet`, { ...MAINNET, terminal: true, answers: [false] });
    expect(quiet.stderr.replaceAll(/\s+/g, " ")).toContain(WARNING);
  });

  test.each([
    ["on a testnet", { chain_id: 11155111, is_testnet: true }],
    ["on the chain of Anvil and Hardhat", { chain_id: 31337, is_testnet: false }],
    ["on the chain of Ganache", { chain_id: 1337 }],
  ])("does not warn %s", async (_, network) => {
    const { stderr, writes } = await cli(`${line} --yes`, on(network));
    expect([stderr.includes("test account"), writes.length]).toEqual([false, 1]);
  });

  test("warns if the network cannot be read", async () =>
    expect((await cli(`${line} --yes`, on(undefined))).stderr).toContain(WARNING));
});

test("nothing warns of another receiver, nor in the demo", async () => {
  const ran = await cli(`tx send evm-1 --to ${OTHER} --value 1 --speed fast --yes`, MAINNET);
  expect(ran.stderr).not.toContain("test account");
  const demo = await cli(`--demo tx send base-hot --to ${FIRST} --value 1 --speed fast --yes`, { env: {} });
  expect([demo.exitCode, demo.stderr.includes("test account")]).toEqual([0, false]);
});

test("send-many warns of the rows that pay to test accounts, whether the sum is typed or confirmed", async () => {
  const rows = (addresses: readonly string[]) =>
    `to,value\n${addresses.map((to, at) => `${to},${at + 1}wei\n`).join("")}`;
  const run = async (addresses: readonly string[], flags: string, world: World = {}) => {
    const paying = payingWorld();
    paying.files["payouts.csv"] = rows(addresses);
    return await paying.run(`tx send-many base-hot -f payouts.csv --speed fast ${flags}`, undefined, world);
  };
  // The relayer of the world is on a network of the embedded server, Base.
  const confirmed = await run([OTHER, FIRST], "--confirm 3wei");
  expect(confirmed.stderr).toContain("warning: row 2 pays to a well-known test account: its private key is public");
  expect([confirmed.exitCode, confirmed.writes.length]).toEqual([0, 2]);
  const asked = await run(ACCOUNTS.slice(0, 2), "", { terminal: true, answers: ["no"] });
  expect(asked.stderr.replaceAll(/\s+/g, " ")).toContain("warning: 2 rows pay to a well-known test account");
  expect([asked.exitCode, asked.writes]).toEqual([3, []]);
  expect((await run([OTHER], "--confirm 1wei")).stderr).not.toContain("test account");
});

const ROOT = join(import.meta.dirname, "../../..");
const PAGES = [
  ...["README.md", "SECURITY.md"],
  ...["docs", "man", "test/cli/help"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ),
].filter((name) => /\.(md|1|txt|csv|ndjson)$/.test(name) && !name.startsWith("docs/project/service"));

test("no page has a test account in a command without --demo, or in a file to pay from", () => {
  const isExample = (name: string, line: string) =>
    /relayctl |--(?:to|arg|allow-to) |"to":/.test(line) || /\.(?:1|csv|ndjson)$/.test(name) || name.includes("help/");
  const found = PAGES.flatMap((name) =>
    readFileSync(join(ROOT, name), "utf8")
      .split("\n")
      .filter((line) => isExample(name, line) && !line.includes("--demo"))
      .filter((line) => ACCOUNTS.some((account) => line.toLowerCase().includes(account.toLowerCase())))
      .map((line) => `${name}: ${line}`),
  );
  expect(found).toEqual([]);
});
