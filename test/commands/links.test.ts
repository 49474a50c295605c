import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { cli, exited, SERVER, TOKEN } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { demoStore, seedState } from "../helpers/seed-state.ts";

const SERVICE = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
const LINKING = { ...SERVICE, FORCE_HYPERLINK: "1" };
const LINK = /\u001b\]8;;([^\u001b]+)\u001b\\(.*?)\u001b\]8;;\u001b\\/g;
const STUCK = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const RECEIVER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const MAINNET = "https://evm-mainnet.explorer.example.org";

const linksIn = (text: string) => [...text.matchAll(LINK)].map(([, url = "", word = ""]) => ({ url, word }));

function run(line: string, world: Parameters<typeof cli>[1] = {}) {
  const own = { store: demoStore(), journal: memoryJournal() };
  return cli(line, { terminal: true, env: LINKING, columns: 200, ...own, ...world });
}

/** Screens that show a hash, an address, or a block, with the beginning of a page that one of them links to. */
const SCREENS: readonly (readonly [line: string, page: string])[] = [
  ["relayers list", "https://stellar-testnet.explorer.example.org/account/GDWR5T"],
  ["relayers list --fields id,address", "https://solana-mainnet-beta.explorer.example.org/address/9WzDX"],
  ["relayers get eth-main-1", `${MAINNET}/address/0x7099`],
  ["relayers status", "https://stellar-testnet.explorer.example.org/account/GDWR5T"],
  ["tx list eth-main-1", `${MAINNET}/tx/0x`],
  ["tx list sol-pay", "https://solana-mainnet-beta.explorer.example.org/tx/"],
  ["tx list", "https://evm-polygon.explorer.example.org/address/0x7099"],
  [`tx get eth-main-1 ${STUCK}`, `${MAINNET}/tx/0x`],
  [`tx get eth-main-1 ${STUCK} --on-chain`, `${MAINNET}/address/0x3c44`],
  ["doctor xlm-pay", "https://stellar-testnet.explorer.example.org/account/GDWR5T"],
  ["audit base-hot", "https://evm-base.explorer.example.org/tx/0x"],
  [
    `tx send base-hot --to ${RECEIVER} --value 0.001eth --speed fast --yes --wait`,
    "https://evm-base.explorer.example.org/block/",
  ],
  ["relayers list --watch 2s --deadline 1s", "https://evm-base.explorer.example.org/address/0x8ba1"],
];

test.each(sampled(SCREENS, 2))(
  "%s links what it shows to the explorer of its network, and shows the same text",
  async (line, page) => {
    const linked = await run(line);
    const plain = await run(line, { env: { ...SERVICE, FORCE_HYPERLINK: "0" } });
    const links = linksIn(linked.stdout);
    expect(links.some(({ url }) => url.startsWith(page))).toBe(true);
    for (const { url, word } of links)
      expect(url).toMatch(new RegExp(`^https://[^/]+\\.explorer\\.example\\.org/.*${word}$`));
    for (const stream of ["stdout", "stderr"] as const) {
      expect(linked[stream].replaceAll(LINK, "$2")).toBe(plain[stream]);
      expect(plain[stream]).not.toContain("\u001b]8");
    }
  },
);

test("an address on several networks links to the network of its row", async () => {
  const { stdout } = await run("tx list");
  const hosts = linksIn(stdout).flatMap(({ url, word }) => (word.startsWith("0x7099") ? new URL(url).host : []));
  expect(hosts).toEqual(["evm-base.explorer.example.org", "evm-polygon.explorer.example.org"]);
});

test.each(
  sampled(
    SCREENS.flatMap(([line]) =>
      [{}, { format: "-o json" }, { format: "-o csv" }, { format: "-o table", terminal: false }].map((each) => ({
        line,
        ...each,
      })),
    ),
    8,
  ).filter(({ line }) => !/--fields|--watch/.test(line)),
)("no link is in data, and none in a pipe: %j", async ({ line, format = "-o tsv", terminal = format !== "-o tsv" }) => {
  const shown = await run(`${line} ${format}`, { stdoutTerminal: terminal, terminal: false });
  expect(shown.stdout).not.toBe("");
  expect(shown.stdout).not.toContain("\u001b]8");
});

test("a receipt links the hashes that it shows", async () => {
  const line = `tx replace eth-main-1 ${STUCK} --inherit --speed fastest --yes`;
  const { stderr } = await exited(0, run(line));
  expect(linksIn(stderr).map(({ url }) => url)).toEqual([expect.stringMatching(`^${MAINNET}/tx/0x`)]);
});

test.each([
  ["http", "http://evil.example"],
  ["a script", "javascript:alert(1)"],
  ["an escape", "https://evil.example/\u001b]8;;https://worse.example\u0007"],
  ["a user", "https://etherscan.io@evil.example:x@evil.example"],
])("a network whose explorer has %s is linked to the explorer of its known chain", async (_, explorer) => {
  const state = seedState("demo");
  const network = state.networks.get("evm:mainnet");
  state.networks.put({ ...network, id: "evm:mainnet", explorer_urls: [explorer] });
  const { stdout } = await run("relayers get eth-main-1", { store: memoryStore(state) });
  expect(stdout).not.toContain("evil");
  expect(linksIn(stdout)[0]?.url).toMatch(/^https:\/\/etherscan\.io\/address\/0x7099/);
});

test("a transaction cannot choose where it links to", async () => {
  const state = seedState("demo");
  const hostile = {
    explorer_urls: ["https://evil.example"],
    network: "base",
    network_type: "evm",
    explorer: "https://evil.example",
  };
  for (const record of state.transactions.all()) state.transactions.put({ ...record, ...hostile });
  const { stdout } = await run("tx list eth-main-1", { store: memoryStore(state) });
  expect(new Set(linksIn(stdout).map(({ url }) => new URL(url).origin))).toEqual(new Set([MAINNET]));
});

test("a service that has no networks costs the links, not the command", async () => {
  const state = seedState("demo");
  for (const { id } of state.networks.all()) state.networks.remove(id);
  const ran = await exited({ exitCode: 0 }, run("relayers list", { store: memoryStore(state) }));
  expect(linksIn(ran.stdout)).toEqual([]);
});

test("a pager gets no links", async () => {
  const shown: string[] = [];
  const pager = async () => ({
    output: { write: async (text: string | Uint8Array) => void shown.push(String(text)) },
    close: async () => undefined,
  });
  await run("relayers list", { rows: 3, pager });
  expect(shown.join("")).toContain("0x8ba1f109551bd432803012645ac136ddd64dba72");
  expect(shown.join("")).not.toContain("\u001b]8");
});

const TX = "tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const PAGE = /^https:\/\/evm-mainnet\.explorer\.example\.org\/(?:tx|address)\/0x[0-9a-fA-F]+\n$/;

/** Runs a line, and returns the pages that it opened too. */
async function open(line: string, world: Parameters<typeof cli>[1] = {}) {
  const opened: string[] = [];
  const ran = await cli(line, { ...world, openPage: async (url) => void opened.push(url) });
  return { ...ran, opened };
}

test.each([`${TX} --web`, "relayers get eth-main-1 --web"])(
  "%s prints the URL and opens it on a terminal",
  async (line) => {
    const { stdout, opened, exitCode } = await open(line, { terminal: true });
    expect(stdout).toMatch(PAGE);
    expect(opened).toEqual([stdout.trim()]);
    expect(exitCode).toBe(0);
  },
);

test.each([
  ["in a pipe", {}],
  ["in CI", { terminal: true, env: { ...SERVICE, CI: "true" } }],
  ["without any terminal", { terminal: false }],
  ["if only stdin is a terminal", { terminal: true, stdoutTerminal: false }],
  ["over SSH with a terminal", { terminal: true, env: { ...SERVICE, SSH_TTY: "/dev/pts/1" } }],
  ["over SSH with another client", { terminal: true, env: { ...SERVICE, SSH_CLIENT: "10.0.0.1 1 22" } }],
  ["over SSH", { terminal: true, env: { ...SERVICE, SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" } }],
])("%s the URL is printed, and nothing is opened", async (_, world) => {
  const { stdout, opened } = await open(`${TX} --web`, world);
  expect(stdout).toMatch(PAGE);
  expect(opened).toEqual([]);
});

test("the URL is printed also if the browser cannot be started", async () => {
  const ran = await cli(`${TX} --web`, { terminal: true, openPage: async () => "spawn xdg-open ENOENT" });
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(PAGE) });
  expect(ran.stderr).toContain("warning: the browser could not be started: spawn xdg-open ENOENT");
});

test("without an explorer nothing is printed or opened: exit code 13", async () => {
  const state = seedState("demo");
  const network = state.networks.get("evm:mainnet");
  state.networks.put({ ...network, id: "evm:mainnet", chain_id: 424_242, explorer_urls: ["http://evil.example"] });
  const ran = await open(`${TX} --web`, { terminal: true, store: memoryStore(state) });
  expect(ran).toMatchObject({ exitCode: 13, stdout: "", opened: [] });
  expect(ran.stderr).toContain('no explorer is known for the network "mainnet"');
});

test.each([
  [`${TX} --web -o json`, "--web: prints a URL, and cannot be combined with -o"],
  [`${TX} --web --on-chain`, "--web: prints a URL, and cannot be combined with --on-chain"],
  ["relayers get eth-main-1 base-hot --web", "--web: opens one page; specify one ID"],
])("%s is refused before anything is sent", async (line, words) => {
  const { stderr, requests, opened } = await exited(2, open(line));
  expect(stderr).toContain(words);
  expect([...requests, ...opened]).toEqual([]);
});
