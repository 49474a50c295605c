import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bash, newFolder } from "../../e2e/relayctl.ts";
import { serve } from "../../e2e/services/embedded.ts";
import { chosen } from "../../helpers/deep.ts";

const PAYMENT = "--to 0x52908400098527886e0f7030069857d2e416c0de --value 1wei --speed fast --yes";
/** Lines that never contact a service. */
const LOCAL = [
  "--version",
  "version",
  "--help",
  "help --json",
  "context list",
  "completion bash",
  "--demo relayers list",
  "--demo relayers pause base-hot --yes",
  `--demo tx send base-hot ${PAYMENT}`,
  "--demo doctor base-hot",
];
/** Lines that ask the service. */
const REMOTE = [
  "relayers list",
  "auth status",
  "relayers pause base-hot --yes",
  "relayers resume base-hot",
  "doctor base-hot",
  "plan -f -",
];

const [NETWORK, CHANGES] = [10, 20];

/** Whether the system allows tracing. */
const HAS_STRACE = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;
const TRACED = "strace --follow-forks --quiet=all --trace=connect,sendto,sendmsg,sendmmsg --output=trace relayctl";
const RECORDER = join(import.meta.dirname, "record-contacts.cjs");

/** Runs a line, and returns where it connected to, as its own process sees it. */
async function recorded(line: string, variables: Record<string, string> = {}): Promise<string[]> {
  const folder = newFolder();
  const file = join(folder, "contacts");
  const env = { ...variables, NODE_OPTIONS: `--require ${RECORDER}`, CONTACTS_FILE: file };
  await run(`relayctl ${line}`, folder, env);
  return existsSync(file) ? unique(readFileSync(file, "utf8").trim().split("\n")) : [];
}

/** Runs a line, and returns the addresses that it and every process that it started connected or sent to, as the system sees it. */
async function traced(line: string, variables: Record<string, string> = {}): Promise<string[]> {
  const folder = newFolder();
  await run(`${TRACED} ${line}`, folder, variables);
  const text = readFileSync(join(folder, "trace"), "utf8");
  const addresses = text.matchAll(/sin6?_port=htons\((\d+)\), .*?(?:inet_addr\("|AF_INET6, ")([^"]+)"/g);
  return unique([...addresses].map(([, port, host]) => `${host}:${port}`));
}

async function run(line: string, folder: string, env: Record<string, string>): Promise<void> {
  const { exitCode, stderr } = await bash(`echo '{"relayers":[]}' | ${line}`, { folder, env });
  expect([0, NETWORK, CHANGES], stderr).toContain(exitCode);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

test.each(chosen(LOCAL, 0, 7, 9))("relayctl %s connects to nothing", async (line) => {
  expect(await (HAS_STRACE ? traced(line) : recorded(line))).toEqual([]);
});

test("a command connects to the service of the user, and to nothing else", async () => {
  const { env } = await serve();
  const { host } = new URL(env.RELAYCTL_SERVER);
  for (const line of chosen(REMOTE, 0, 2)) {
    expect(await recorded(line, env), line).toEqual([host]);
    if (HAS_STRACE) expect(await traced(line, env), line).toEqual([host]);
  }
});

test("a connection to anywhere else would be seen", async () => {
  const env = { RELAYCTL_SERVER: "http://127.0.0.1:9", RELAYCTL_TOKEN: "0123456789abcdef" };
  expect(await recorded("relayers list", env)).toEqual(["127.0.0.1:9"]);
  if (HAS_STRACE) expect(await traced("relayers list", env)).toEqual(["127.0.0.1:9"]);
});
