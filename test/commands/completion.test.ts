import type { Transport } from "../../src/client/transport/transport.ts";
import { keptIds } from "../../src/completion/kept-ids.ts";
import { SETUPS } from "../../src/completion/scripts.ts";
import { SHELLS } from "../../src/completion/shells.ts";
import type { JsonValue } from "../../src/contract/json.ts";
import { cli, exited, runHere, SERVER, TOKEN, testApp, type World } from "../helpers/cli.ts";
import { reply, wholeList } from "../helpers/service/reply.ts";

test.each(SHELLS)("completion %s prints the script, and its help the line to add", async (shell) => {
  expect(await cli(`completion ${shell}`)).toMatchObject({
    exitCode: 0,
    stdout: SETUPS[shell].script,
    stderr: "",
    requests: [],
  });
  const help = (await cli("completion --help")).stdout;
  expect(help).toContain(`\n    ${SETUPS[shell].line}\n`);
  expect(help).toContain(SETUPS[shell].where);
});

test.each([
  ["completion tcsh", "<shell> tcsh: one of bash, zsh, fish, powershell"],
  ["completion zhs", "<shell> zhs: one of bash, zsh, fish, powershell (did you mean zsh?)"],
])("%s: the error lists the known shells", async (line, message) =>
  expect(await cli(line)).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: `error: ${message}\n  hint: relayctl completion --help\n`,
  }),
);

test("a shell is required", async () => expect((await cli("completion")).exitCode).toBe(2));

describe("cached IDs", () => {
  const NAME = "0123456789abcdef";

  /** What is kept after the process that asks has ended. */
  async function kept(line: string, world: World = {}) {
    const made = testApp(world);
    const ran = await runHere(made, ["__ids", ...line.split(" ")]);
    const { clock, app } = made;
    const ids = await keptIds(made.kept.get(NAME), { now: clock.now(), token: app.env.RELAYCTL_TOKEN });
    return { ...ran, ids, requests: made.requests, questions: made.questions };
  }

  /** A service that has these things and no more. */
  function serviceWith(...items: JsonValue[]): Transport {
    return async () => wholeList(items);
  }

  test("caches relayers with their network and state", async () => {
    const { ids } = await exited({ stdout: "", exitCode: 0 }, kept(`relayer ${NAME}`));
    expect(ids).toContainEqual({ word: "eth-main-2", summary: "mainnet, paused" });
    expect(ids).toContainEqual({ word: "eth-sepolia", summary: "sepolia, disabled · nonce sync failed" });
  });

  test("caches notifications with only the host, since a webhook's path is often a secret", async () => {
    const service = serviceWith(
      { id: "old", url: "https://hooks.example.org/T0/secret" },
      { id: "ops", url: "https://hooks.example.org/T0/secret", has_signing_key: true },
    );
    expect((await kept(`notification ${NAME}`, { service })).ids).toEqual([
      { word: "old", summary: "hooks.example.org" },
      { word: "ops", summary: "hooks.example.org, signed" },
    ]);
  });

  const transactions = serviceWith(
    { id: "t1", status: "submitted", nonce: 7 },
    { id: "t2", status: "confirmed", nonce: 6 },
    { id: "t3", status: "pending", nonce: null },
  );

  test("caches transactions with status and nonce, and for a replacement only pending transactions", async () => {
    const all = await kept(`transaction ${NAME} eth-main-1`, { service: transactions });
    expect(all.ids?.map(({ word }) => word)).toEqual(["t1", "t2", "t3"]);
    const pending = await kept(`pending-transaction ${NAME} eth-main-1`, { service: transactions });
    expect(pending.requests.map(({ target }) => target)).toEqual([
      "/api/v1/relayers/eth-main-1/transactions?page=1&per_page=1000",
    ]);
    expect(pending.ids).toEqual([
      { word: "t1", summary: "submitted, nonce 7" },
      { word: "t3", summary: "pending" },
    ]);
  });

  test.each([
    ["signer", { id: "kms", type: "aws_kms", config: { key_id: "k" } }, "aws_kms"],
    ["network", { id: "evm:sepolia", chain_id: 11155111, is_testnet: true, rpc_urls: [] }, "chain 11155111, testnet"],
    ["plugin", { id: "rebalance", path: "plugins/rebalance.ts" }, "plugins/rebalance.ts"],
  ])("caches a %s with a short description", async (kind, item, summary) => {
    const ran = await kept(`${kind} ${NAME}`, { service: serviceWith(item) });
    expect(ran.requests[0]?.target).toContain(`/api/v1/${kind}s`);
    expect(ran.ids).toEqual([{ word: item.id, summary }]);
  });

  test("caches an empty list if the service has no list of transactions", async () => {
    const service: Transport = async () => reply(404);
    expect((await kept(`transaction ${NAME} eth-main-1`, { service })).ids).toEqual([]);
  });

  test("omits invalid and dangerous IDs, and escapes descriptions", async () => {
    const odd = ["a\u001b[2J", "b\u202ec", "-rf", "x/y", "", "..", "a\tb", "a\nb"].map((id) => ({ id }));
    const service = serviceWith(...odd, { id: "two words", network: "main\u001b[31m\tnet\n", paused: true });
    expect((await kept(`relayer ${NAME}`, { service })).ids).toEqual([
      { word: "two words", summary: "main\\u{1b}[31m\\u{9}net\\u{a}, paused" },
    ]);
  });

  test("caches at most 10,000 IDs", async () => {
    const service = serviceWith(...Array.from({ length: 10_050 }, (_, index) => ({ id: `r${index}` })));
    expect((await kept(`relayer ${NAME}`, { service })).ids).toHaveLength(10_000);
  });

  const PROD = { server: SERVER, token_command: ["pass", "relayctl"] };
  const config = { version: 1, current: "prod", contexts: { prod: PROD } } as const;

  test("caches an empty list instead of running a token command", async () => {
    const world = { env: {}, config: { ...config, contexts: { prod: { ...PROD } } } };
    const made = testApp(world);
    const execute = () => Promise.reject(new Error("a program was run"));
    await exited(0, runHere({ ...made, app: { ...made.app, execute } }, ["__ids", "relayer", NAME]));
    expect(made.requests).toEqual([]);
    expect(await keptIds(made.kept.get(NAME), { now: made.clock.now(), token: undefined })).toEqual([]);
  });

  test("caches nothing if the service fails, so that the next call tries again", async () => {
    const service: Transport = async () => reply(503);
    expect((await kept(`relayer ${NAME} --retries 0`, { service })).ids).toBeUndefined();
  });

  test.each([`relayers ${NAME}`, "relayer ../config.json", "relayer"])("rejects %s", async (line) =>
    expect(await kept(line)).toMatchObject({ exitCode: 2, ids: undefined, requests: [] }),
  );

  test("requests nothing if no token is configured", async () => {
    expect(await kept(`relayer ${NAME}`, { env: { RELAYCTL_SERVER: SERVER }, terminal: true })).toMatchObject({
      ids: undefined,
      questions: [],
      requests: [],
    });
    expect(TOKEN).not.toBe("");
  });

  test("reuses what another process has cached recently", async () => {
    const made = testApp();
    const line = ["__ids", "relayer", NAME];
    await runHere(made, line);
    const first = made.kept.get(NAME);
    await runHere(made, line);
    expect(made.requests).toHaveLength(1);
    await made.clock.sleep(60_000);
    await runHere(made, line);
    expect(made.requests).toHaveLength(2);
    expect(made.kept.get(NAME)).not.toBe(first);
  });
});
