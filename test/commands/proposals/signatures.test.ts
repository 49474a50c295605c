import { type Proposal, proposalBytes, proposalId } from "../../../src/proposals/proposal.ts";
import { exited, runHere, SERVER, TOKEN, testApp, type World, words } from "../../helpers/cli.ts";
import { fakeSignature, fakeSshKeygen, signerLine } from "../../helpers/fake-ssh-keygen.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";

const SEND = "tx send eth-main-1 --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1gwei --speed fast";
const SIGNERS = [signerLine("ada"), signerLine("bob"), signerLine("carol@example.org", "KEYcarol")];

/** Ada's machine, whose context has approvers, and the file that travels to the others. */
function shared({ needed = 1, ...context }: { needed?: number; max_value?: Record<string, string> } = {}) {
  const never = new AbortController().signal;
  const clock = manualClock(undefined, never);
  let config: World["config"] = {
    ...{ version: 1, current: "prod" },
    contexts: { prod: { server: SERVER, token: TOKEN, approvers: { needed, signers: SIGNERS }, ...context } },
  };
  const files: Record<string, string> = {};
  const here: World & { files: Record<string, string> } = {
    ...{ store: demoStore(), proposals: new Map(), journal: memoryJournal(), clock, env: {}, files },
    execute: fakeSshKeygen,
  };
  const run = async (line: string, more: Partial<World> = {}) => {
    const ran = await cliWith(line, { ...here, ...(config && { config }), ...more });
    if (more.config === undefined) config = ran.config;
    return ran;
  };
  const propose = async (line = SEND, flags = "") => {
    const created = new Map<string, string>();
    const ran = await run(`propose --out new.json ${flags} -- ${line}`, { created });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, writes: [] });
    files["pay.json"] = created.get("new.json") ?? "";
    return { ...ran, id: ran.stdout.trim() };
  };
  const sign = async (user: string, key = `KEY${user}`, more: Partial<World> = {}) =>
    await run(`approve pay.json --sign --identity ${key}`, {
      ...{ user, terminal: true, stdoutTerminal: false, answers: [true], proposals: new Map(), config: EMPTY },
      ...more,
    });
  const pass = async (milliseconds: number) => await clock.sleep(milliseconds, never);
  return { here, files, run, propose, sign, pass };
}

async function cliWith(line: string, world: World) {
  const made = testApp(world);
  const ran = await runHere(made, words(line));
  const { requests, questions } = made;
  return { ...ran, requests, questions, config: made.config(), writes: requests.filter(isWrite) };
}

function isWrite({ method, target }: { method: string; target: string }): boolean {
  return method !== "GET" && !target.endsWith("/rpc");
}

const EMPTY: NonNullable<World["config"]> = { version: 1, contexts: {} };

function signedBy(text: string, key: string, namespace?: string): string {
  const stored = JSON.parse(text);
  const signature = fakeSignature(key, proposalBytes(stored.proposal as Proposal), namespace);
  return JSON.stringify({ ...stored, signatures: [...stored.signatures, signature] });
}

describe("a context with approvers", () => {
  test.each([
    SEND,
    "relayers resume eth-main-1",
    "relayers update eth-main-1 --policy gas_price_cap=80gwei --yes",
    "relayers delete eth-main-1",
    "relayers resume eth-main-2 base-hot",
    "relayers sign eth-main-1 --message hello",
    "api POST /relayers/eth-main-1/transactions -F value=1",
    "relayers rpc eth-main-1 eth_sendRawTransaction 0x00",
    "signers delete signer-1",
  ])("refuses %s before a question, and suggests to propose it", async (line) => {
    const { run } = shared();
    const ran = await exited({ exitCode: 3, writes: [], questions: [] }, run(line, { terminal: true }));
    expect(ran.stderr).toContain("needs the signatures of approvers (context prod)");
    if (!line.includes("base-hot")) expect(ran.stderr).toContain("hint: relayctl propose --out proposal.json -- ");
  });

  test.each([
    "relayers pause eth-main-1",
    "relayers freeze eth-main-1 --yes",
    "relayers update eth-main-1 --name treasury",
    "relayers rpc eth-main-1 eth_blockNumber",
    "notifications delete treasury-hook --yes",
  ])("allows %s at once", async (line) => {
    const { run } = shared();
    const ran = await run(line);
    expect(ran.stderr).not.toContain("signatures of approvers");
  });

  test("binds every other name for the same server, and no other server", async () => {
    const { run } = shared();
    const config = (server: string): NonNullable<World["config"]> => ({
      version: 1,
      contexts: {
        prod: { server: SERVER, token: TOKEN, approvers: { needed: 1, signers: SIGNERS } },
        other: { server, token: TOKEN },
      },
    });
    await exited(3, run(`--server ${SERVER} --token-file token ${SEND} --yes`, { files: { token: TOKEN } }));
    expect((await run(`-c other ${SEND} --yes`, { config: config(SERVER) })).exitCode).toBe(3);
    expect((await run(`-c other ${SEND} --yes`, { config: config("http://127.0.0.1:9") })).exitCode).not.toBe(3);
  });
});

describe("approve --sign", () => {
  test("asks on a terminal, adds a signature to the file, and sends nothing", async () => {
    const { propose, sign, files } = shared();
    const { id, stderr } = await propose();
    expect(stderr).toContain("to sign it, somebody else: relayctl approve new.json --sign");
    const ran = await exited({ exitCode: 0, requests: [], stdout: "" }, sign("bob"));
    expect(ran.questions).toEqual([`Sign proposal ${id}?`]);
    expect(ran.stderr).toContain("POST /api/v1/relayers/eth-main-1/transactions");
    expect(JSON.parse(files["pay.json"] ?? "").signatures).toHaveLength(1);
  });

  test("signs the stored file of a proposal without --out, whose path each message gives", async () => {
    const { run, sign, here, files } = shared();
    const { stdout, stderr } = await run(`propose -- ${SEND}`);
    const path = `proposals/${stdout.trim()}.json`;
    expect(stderr).toContain(`to sign it, somebody else: relayctl approve ${path} --sign`);
    expect((await run(`approve ${stdout.trim()}`)).stderr).toContain(`hint: relayctl approve ${path} --sign`);
    const stored = here.proposals?.get(`${stdout.trim()}.json`) ?? "";
    files["pay.json"] = stored;
    await exited(0, sign("bob"));
    here.proposals?.set(`${stdout.trim()}.json`, files["pay.json"]);
    await exited(0, run(`approve ${stdout.trim()}`));
  });

  test("refuses the proposer, no terminal, an expired proposal, and a key that does not sign", async () => {
    const { propose, sign, pass, files } = shared();
    await propose();
    expect((await sign("ada")).stderr).toContain("somebody else signs it");
    expect((await sign("bob", "KEYbob", { terminal: false })).exitCode).toBe(3);
    expect((await sign("bob", "KEYbob", { answers: [false] })).exitCode).toBe(3);
    expect((await sign("bob", "other")).stderr).toContain("Permission denied");
    await pass(600_000);
    expect((await sign("bob")).exitCode).toBe(6);
    expect(JSON.parse(files["pay.json"] ?? "").signatures).toEqual([]);
  });
});

describe("approve in a context with approvers", () => {
  test("sends once without a terminal with a second person's signature, and records who signed", async () => {
    const { propose, sign, run, here } = shared();
    const { id } = await propose();
    await sign("carol", "KEYcarol");
    const ran = await exited(0, run("approve pay.json", { env: { CI: "true" } }));
    expect(ran.writes).toHaveLength(1);
    expect(ran.questions).toEqual([]);
    const [intent] = here.journal?.entries ?? [];
    expect(intent).toMatchObject({ proposal: { id, user: "ada", approved: ["carol@example.org"] } });
    expect(await run("approve pay.json")).toMatchObject({ exitCode: 6, writes: [] });
  });

  test("counts each approver once, and neither the proposer, a stranger, other bytes, nor another purpose", async () => {
    const { propose, run, files } = shared({ needed: 2 });
    await propose();
    const open = files["pay.json"] ?? "";
    const other = signedBy(open.replace("1000000000", "2000000000"), "KEYcarol");
    const sets: Record<string, string> = {
      "bob twice": signedBy(signedBy(open, "KEYbob"), "KEYbob"),
      "bob and the proposer": signedBy(signedBy(open, "KEYbob"), "KEYada"),
      "bob and a stranger": signedBy(signedBy(open, "KEYbob"), "KEYmallory"),
      "bob and other bytes": JSON.stringify({
        ...JSON.parse(signedBy(open, "KEYbob")),
        signatures: [...JSON.parse(signedBy(open, "KEYbob")).signatures, ...JSON.parse(other).signatures],
      }),
      "bob and another purpose": signedBy(signedBy(open, "KEYbob"), "KEYcarol", "git"),
    };
    for (const [name, text] of Object.entries(sets)) {
      files["pay.json"] = text;
      const ran = await run("approve pay.json", { terminal: true, answers: [true] });
      expect([name, ran.exitCode, ran.writes, ran.questions], ran.stderr).toEqual([name, 3, [], []]);
      expect(ran.stderr).toContain("needs 2 signatures and has: bob");
      expect(ran.stderr).toContain("hint: relayctl approve pay.json --sign");
    }
    files["pay.json"] = signedBy(signedBy(open, "KEYbob"), "KEYcarol");
    expect(await run("approve pay.json")).toMatchObject({ exitCode: 0 });
  });

  test("sends nothing elsewhere, after it expired, or with a word that a program could type", async () => {
    const { propose, sign, run, pass } = shared();
    await propose();
    await sign("bob");
    const elsewhere = await exited({ exitCode: 6, writes: [] }, run("approve pay.json", { proposals: new Map() }));
    expect(elsewhere.stderr).toContain("only there it can be sent once");
    expect(await run("approve pay.json --yes")).toMatchObject({ exitCode: 3, requests: [] });
    await pass(600_000);
    expect(await run("approve pay.json")).toMatchObject({ exitCode: 6, writes: [] });
  });

  test("asks on a terminal beyond the limits of the context, which no signer was shown", async () => {
    const { propose, sign, run } = shared({ max_value: { wei: "1" } });
    await propose();
    await sign("bob");
    expect(await run("approve pay.json")).toMatchObject({ exitCode: 3, writes: [] });
    await exited(0, run("approve pay.json", { terminal: true, stdoutTerminal: false, answers: ["prod"] }));
  });

  test("signs a speed, so that a fee that moves meanwhile voids nothing", async () => {
    const { propose, files } = shared();
    await propose();
    const { body } = JSON.parse(files["pay.json"] ?? "").proposal;
    expect(JSON.parse(body)).toMatchObject({ speed: "fast" });
    expect(body).not.toMatch(/gas_price|max_fee/);
  });

  test("signs a typed price as it was typed, which is the most that is paid, and sends it whatever the base fee is", async () => {
    const { propose, sign, run, files } = shared();
    await propose(SEND.replace("--speed fast", "--gas-price 80gwei"));
    const { body } = JSON.parse(files["pay.json"] ?? "").proposal;
    expect(JSON.parse(body)).toMatchObject({ gas_price: 80_000_000_000 });
    expect(body).not.toMatch(/speed|max_fee/);
    await sign("bob");
    const ran = await exited(0, run("approve pay.json"));
    expect(ran.writes.map((request) => request.body)).toEqual([body]);
  });

  test("sends a proposal that needs no signature after a question, as elsewhere", async () => {
    const { propose, run } = shared();
    const { stderr } = await propose("relayers pause eth-main-1");
    expect(stderr).not.toContain("to sign it");
    expect(await run("approve pay.json")).toMatchObject({ exitCode: 3, writes: [] });
    await exited(0, run("approve pay.json", { terminal: true, stdoutTerminal: false, answers: [true] }));
  });
});

describe("the rules of a context with approvers", () => {
  test.each([
    "context set prod --no-approvers",
    "context set prod --approvals 2",
    "context set prod --no-max-value",
    "context set prod --server http://127.0.0.1:9",
    "context delete prod",
  ])("%s is refused without their signatures", async (line) => {
    const { run, here } = shared({ max_value: { wei: "5" } });
    const ran = await exited({ exitCode: 3, requests: [] }, run(`${line} --yes`, here));
    expect(ran.config?.contexts.prod).toMatchObject({ server: SERVER, approvers: { needed: 1 } });
  });

  test.each(["mine --server", "free --approvals 1 --server", "far --server"])(
    "cannot be avoided by another name with other approvers: %s",
    async (words) => {
      const { run, files } = shared();
      Object.assign(files, { same: SIGNERS.join("\n"), other: signerLine("eve") });
      await run(`context set free --server ${SERVER}`);
      await run("context set far --server http://127.0.0.1:9 --approvers other");
      const line = `context set ${words} ${SERVER} --approvers`;
      const ran = await exited({ exitCode: 3, requests: [] }, run(`${line} other`));
      expect(ran.stderr).toMatch(/context prod has other approvers|needs the signatures of approvers \(context far\)/);
      if (!words.startsWith("far")) await exited(0, run(`${line} same`));
    },
  );

  test("are tightened at once, and loosened once as they were signed", async () => {
    const { run, propose, sign } = shared({ max_value: { wei: "5" } });
    expect(await run("context set prod --max-value 4wei --require-reason")).toMatchObject({ exitCode: 0 });
    const { stderr } = await propose("context set prod --no-max-value --approvals 2");
    expect(stderr).toContain("these become all rules of prod");
    expect(await run("approve pay.json")).toMatchObject({ exitCode: 3 });
    await sign("bob");
    const ran = await exited({ exitCode: 0, requests: [] }, run("approve pay.json"));
    expect(ran.stderr).toContain("changed the rules of prod, signed by bob");
    expect(ran.config?.contexts.prod).toEqual({
      ...{ server: SERVER, token: TOKEN, require_reason: true },
      approvers: { needed: 2, signers: SIGNERS },
    });
    expect(await run("approve pay.json")).toMatchObject({ exitCode: 6 });
  });

  test("that were changed since are not changed again, nor by a file that has more than rules", async () => {
    const { run, propose, sign, files } = shared({ max_value: { wei: "5" } });
    await propose("context set prod --no-max-value");
    await sign("bob");
    await run("context set prod --max-value 4wei");
    expect(await run("approve pay.json")).toMatchObject({ exitCode: 6 });
    await propose("context set prod --no-max-value");
    const stored = JSON.parse(files["pay.json"] ?? "");
    stored.proposal.body = '{"server":"http://127.0.0.1:9"}';
    files["pay.json"] = signedBy(JSON.stringify(stored), "KEYbob");
    const ran = await exited(2, run("approve pay.json"));
    expect(ran.config?.contexts.prod?.server).toBe(SERVER);
  });

  test("are proposed alone, and only where there are approvers", async () => {
    const { run } = shared();
    const more = await run("propose -- context set prod --no-approvers --no-token-command --ca-file a.pem");
    expect(more, more.stderr).toMatchObject({ exitCode: 2, stdout: "" });
    const config: NonNullable<World["config"]> = { version: 1, contexts: { dev: { server: SERVER, token: TOKEN } } };
    const none = await run("propose -- context set dev --protected", { config });
    expect(none.stderr).toContain("has no approvers");
    expect(none.config?.contexts.dev).toEqual({ server: SERVER, token: TOKEN });
  });
});

describe("--approvers", () => {
  const set = async (text: string, flags = "") =>
    await cliWith(`context set dev --server ${SERVER} --approvers signers ${flags}`, {
      config: EMPTY,
      files: { signers: text },
    });

  test("keeps one name and one key of each line", async () => {
    const text = `# team\n\nbob@example.org namespaces="proposal@relayctl" ssh-ed25519 AAAA bob's laptop\n${signerLine("ada")}\r\n`;
    const { config, stderr } = await set(text, "--approvals 2");
    expect(config?.contexts.dev?.approvers, stderr).toEqual({
      needed: 2,
      signers: ['bob@example.org namespaces="proposal@relayctl" ssh-ed25519 AAAA', "ada ssh-ed25519 KEYada"],
    });
  });

  test.each([
    ["", "names nobody"],
    ["bob", "line 1 is not one name and one key"],
    ["* ssh-ed25519 AAAA", "line 1 is not"],
    ["bob,ada ssh-ed25519 AAAA", "line 1 is not"],
    ["bob cert-authority ssh-ed25519 AAAA", "line 1 is not"],
    ["bob ssh-ed25519-cert-v01@openssh.com AAAA", "line 1 is not"],
    [`${signerLine("bob", "AAAA")}\n${signerLine("ada", "AAAA")}`, "line 2 has the key of bob"],
  ])("refuses %j", async (text, words) => {
    const ran = await set(text);
    expect([ran.exitCode, ran.config?.contexts.dev], ran.stderr).toEqual([2, undefined]);
    expect(ran.stderr).toContain(words);
  });

  test("refuses more signatures than people, and a number without people", async () => {
    expect((await set(signerLine("bob"), "--approvals 2")).stderr).toContain(
      "is more than the 1 person of --approvers",
    );
    expect((await set(signerLine("bob"), "--approvals 0")).exitCode).toBe(2);
    const alone = await cliWith(`context set dev --server ${SERVER} --approvals 1`, { config: EMPTY });
    expect(alone.stderr).toContain("needs --approvers");
  });
});

test("the ID of a proposal covers who proposed it and until when", () => {
  const proposal = { user: "ada", expires: "2026-01-01T00:00:00Z" } as Proposal;
  expect(proposalId(proposal)).not.toBe(proposalId({ ...proposal, user: "bob" }));
});
