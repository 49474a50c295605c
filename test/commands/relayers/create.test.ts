import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends, exited, exits, inProd, SERVER, says, type World } from "../../helpers/cli.ts";
import { createdIn, UNDO } from "../../helpers/receipts.ts";
import { recordedAs, replyOf } from "../../helpers/service/recorded.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";

const EVM = "--network sepolia --network-type evm --signer-id s-new";
const NEW = `relayers create --name New ${EVM}`;
const STELLAR = "relayers create --name X --network testnet --network-type stellar --signer-id s-new";
const SOLANA = "relayers create --name S --network devnet --network-type solana --signer-id s-new";

async function sent(line: string, world: World = {}): Promise<string | undefined> {
  const ran = await exits(0, line, world);
  expect(ran.writes).toHaveLength(1);
  return ran.writes[0]?.body;
}

describe("the body", () => {
  test("has the flags, whether paused, and a generated ID", async () =>
    expect(await sent(NEW)).toBe(
      '{"name":"New","network":"sepolia","network_type":"evm","signer_id":"s-new","paused":false,"id":"00000000-0000-4000-8000-000000000002"}',
    ));

  test("has every field, with amounts in their smallest unit", async () => {
    const flags = [
      "--id eth-new --paused --notification-id ops-hook",
      "--rpc-url https://rpc.example.org/key,weight=80 --rpc-url https://b.example.org",
      "--policy gas_price_cap=80gwei --policy min_balance=0.1eth --policy eip1559_pricing=true",
    ];
    expect(await sent(`${NEW} ${flags.join(" ")}`)).toBe(
      '{"id":"eth-new","name":"New","network":"sepolia","network_type":"evm","paused":true,"signer_id":"s-new",' +
        '"notification_id":"ops-hook","custom_rpc_urls":[{"url":"https://rpc.example.org/key","weight":80},{"url":"https://b.example.org"}],' +
        '"policies":{"gas_price_cap":80000000000,"min_balance":100000000000000000,"eip1559_pricing":true}}',
    );
  });

  test("has amounts in the units of its network type", async () => {
    expect(await sent(`${STELLAR} --policy fee_payment_strategy=relayer --policy max_fee=0.1xlm`)).toContain(
      '"policies":{"fee_payment_strategy":"relayer","max_fee":1000000}',
    );
    expect(await sent(`${SOLANA} --policy min_balance=0.01sol`)).toContain('"policies":{"min_balance":10000000}');
  });

  test("may come from a file, with flags over its fields", async () => {
    const files = {
      "body.json":
        '{"name":"From a file","network":"sepolia","network_type":"evm","signer_id":"s-new","paused":true,"policies":{"min_balance":"1"}}',
      "policies.json": '{"gas_price_cap":5}',
    };
    expect(await sent("relayers create -f body.json --name New --policies policies.json --id n", { files })).toBe(
      '{"name":"New","network":"sepolia","network_type":"evm","signer_id":"s-new","paused":true,"policies":{"min_balance":1,"gas_price_cap":5},"id":"n"}',
    );
  });

  test("is shown with --dry-run, with RPC URLs as variables", async () => {
    const ran = await ends({ exitCode: 0, requests: [] }, `${NEW} --rpc-url https://rpc.example.org/secret --dry-run`);
    expect(ran.stdout).toContain("POST /api/v1/relayers\n");
    expect(ran.stdout).toMatch(/"custom_rpc_urls":\[\{"url":"\$\{RPC_URL_1:\?\}"\}\]/);
    expect(ran.stdout).not.toContain("secret");
  });
});

describe("invalid values are rejected with the service's messages", () => {
  test("all at once if nothing was specified", async () => {
    const ran = await ends({ exitCode: 2, requests: [] }, "relayers create");
    for (const flag of ["--name", "--network", "--network-type", "--signer-id"])
      expect(ran.stderr).toContain(`${flag}: is required`);
  });

  test.each([
    [`${NEW} --id true`, "--id true: unexpected: a flag such as --paused takes no value"],
    ["relayers create --name x --network n --network-type evn --signer-id s", "--network-type evn: one of evm, solana"],
    [`${NEW} --rpc-url http://169.254.169.254/x`, "the service refuses the host 169.254.169.254"],
    [`${NEW} --rpc-url 'https://x/***'`, "is masked by the service"],
    [`${NEW} --notification-id a/b`, "--notification-id a/b: contains a slash"],
    [`${NEW} --policy max_fee=1`, "--policy max_fee: unknown policy for evm relayers"],
    [`${NEW} --policy gas_price_cap=1e9`, "--policy gas_price_cap 1e9: needs digits"],
  ])("%s", (line, words) => says({ exitCode: 2, requests: [], stdout: "" }, line, words));

  test.each([
    ['{"name":"x","nmae":"y"}', "has an unknown field: nmae"],
    ['{"paused":"no"}', "body.json paused no: true or false"],
    ['{"custom_rpc_urls":["https://x"]}', "custom_rpc_urls.0"],
  ])("a file with %s", (text, words) =>
    says({ exitCode: 2, requests: [] }, `${NEW} -f body.json`, words, { files: { "body.json": text } }),
  );
});

describe("the outcome", () => {
  test("is printed with a receipt", async () => {
    const ran = await cli(`${NEW} --id eth-new -o json`);
    const stderr = `${createdIn(SERVER)}eth-new\n${UNDO}relayctl relayers delete eth-new\n`;
    expect(ran).toMatchObject({ exitCode: 0, stderr });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: "eth-new", network: "sepolia", paused: false });
    expect(ran.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/relayers/eth-new",
      "GET /api/v1/relayers/eth-new",
      "POST /api/v1/relayers",
      "GET /api/v1/relayers/eth-new",
    ]);
  });

  test("is exit 6 for an ID in use, and nothing is sent", async () => {
    const ran = await ends({ exitCode: 6, writes: [] }, `${NEW} --id eth-main-1`);
    expect(ran.stderr).toContain("a relayer with the id eth-main-1 already exists");
    expect(ran.stderr).toContain("hint: relayctl relayers get eth-main-1");
  });

  test.each([
    ["create same signer", 6, "already in use by relayer 'evm-1' on network 'localhost-anvil'"],
    ["create unknown signer", 5, "Signer with ID s77 not found"],
    ["create unknown network", 7, "Network 'nope' not found for network type 'evm'"],
  ])("recorded: %s keeps its message", (name, exitCode, words) =>
    says(exitCode, NEW, words, { service: async () => replyOf(recordedAs(name)) }),
  );

  test("has a hint to list signers if the signer is unknown", async () => {
    const ran = await cli(NEW, { service: async () => replyOf(recordedAs("create unknown signer")) });
    expect(ran.stderr).toContain("hint: relayctl signers list");
  });

  test("includes a warning if the first check disabled the relayer", async () => {
    const id = "evm-dead";
    const created = replyOf(recordedAs("create on a dead network"));
    const missing = reply(404, `{"success":false,"data":null,"error":"Relayer with ID ${id} not found"}`);
    const disabled = `{"success":true,"data":{"id":"${id}","name":"Name","network":"dead-net","network_type":"evm","paused":false,"signer_id":"s3","system_disabled":true,"disabled_reason":{"type":"RpcValidationFailed","details":"RPC endpoint validation failed"}},"error":null}`;
    const service = scriptedService(
      { expect: `GET /api/v1/relayers/${id}`, reply: missing },
      { expect: "POST /api/v1/relayers", reply: created },
      { expect: `GET /api/v1/relayers/${id}`, reply: reply(200, disabled) },
    );
    const line = `relayers create --id ${id} --name 'Name evm-dead' --network dead-net --network-type evm --signer-id s3`;
    const ran = await exits(0, `${line} --fields system_disabled`, { service: service.transport });
    expect(ran.stdout).toBe("system_disabled\ttrue\n");
    expect(ran.stderr).toContain(
      "warning: the service disabled the relayer at once: RPC validation failed; relayctl relayers status evm-dead\n" +
        `${UNDO}relayctl relayers delete evm-dead\n`,
    );
  });

  test("resends a large amount as a string after a refusal", async () => {
    const service = scriptedService(
      { reply: reply(400, "Json deserialize error: Bad Request: Invalid EVM policy: floating point") },
      { reply: reply(400, "Json deserialize error: still not") },
    );
    await exits(7, `${NEW} --policy min_balance=100000000000000000000`, { service: service.transport });
    expect(service.requests.map(({ body }) => /"min_balance":("?\d+"?)/.exec(body ?? "")?.[1])).toEqual([
      "100000000000000000000",
      '"100000000000000000000"',
    ]);
  });

  test("is read back by the generated ID after a 500", async () => {
    let stored = "";
    const service: Transport = async ({ method, body = "" }) => {
      if (method === "GET") return reply(200, `{"success":true,"data":${stored},"error":null}`);
      stored = body;
      return reply(500, '{"success":false,"data":null,"error":"Provider error: timeout"}');
    };
    const ran = await exits(0, NEW, { service });
    expect(ran.stderr).toContain(
      "warning: the service responded with 500: Provider error: timeout; reading it back from the service proved",
    );
    expect(ran.writes).toHaveLength(1);
  });

  test("shows that the service is older than v1.1", async () => {
    const ran = await exits(7, NEW, { service: async () => reply(404, "") });
    expect(ran.stderr).toContain("this service does not have this route; it was added in v1.1");
  });
});

test("requires the name of a protected context", () =>
  says({ exitCode: 3, requests: [] }, NEW, "creating a relayer requires confirmation", inProd({ protected: true })));

const asked = (line: string, answers: NonNullable<World["answers"]>, world: World = {}) =>
  cli(line, { terminal: true, answers, ...world });

describe("relayers create on a terminal", () => {
  test("asks for missing required values only", async () => {
    const ran = await exited(0, asked("relayers create", ["New", "evm:sepolia", "signer-1"]));
    expect(ran.questions).toEqual(["Name:", "Network:", "Signer:"]);
    expect(JSON.parse(ran.writes[0]?.body ?? "")).toMatchObject({
      name: "New",
      network: "sepolia",
      network_type: "evm",
      signer_id: "signer-1",
    });
  });

  test("does not ask for values from flags", async () => {
    const line = "relayers create --network sepolia --network-type evm --signer-id s-new";
    expect((await asked(line, ["New"])).questions).toEqual(["Name:"]);
    expect((await asked(`${line} --name New`, [])).questions).toEqual([]);
  });

  test("asks only for the missing part of a network, its type or name", async () => {
    const rest = "--name New --signer-id s-new";
    expect((await asked(`relayers create ${rest} --network sepolia`, ["evm"])).writes).toHaveLength(1);
    expect((await asked(`relayers create ${rest} --network-type evm`, ["sepolia"])).writes).toHaveLength(1);
  });

  test("asks for the fee payment strategy on Stellar without a policy", async () => {
    const line = "relayers create --name New --signer-id s-new --network testnet --network-type stellar";
    const ran = await asked(line, ["relayer"]);
    expect(ran.writes[0]?.body).toContain('"policies":{"fee_payment_strategy":"relayer"}');
    expect((await asked(`${line} --policy fee_payment_strategy=user`, [])).questions).toEqual([]);
  });

  test("asks nothing if a flag is invalid", () =>
    exited({ exitCode: 2, questions: [], requests: [] }, asked("relayers create --id a.b", [])));

  test("sends nothing for a dry run", async () => {
    const ran = await asked("relayers create --dry-run", ["New", "evm", "sepolia", "s-new"]);
    expect(ran).toMatchObject({ exitCode: 0, requests: [] });
    expect(ran.stdout).toContain('"network_type":"evm"');
  });
});

describe("relayers create -i", () => {
  const LINE = "relayers create -i --name New --signer-id s-new";

  test("also asks for an ID, the notification, and policies with their units", async () => {
    const policies = ["gas_price_cap", "eip1559_pricing"];
    const answers = ["eth-main-1", "eth-new", "ops-hook", policies, "no", "set it", "80gwei"];
    const ran = await exited(0, asked(`${LINE} --network sepolia --network-type evm`, answers));
    expect(JSON.parse(ran.writes[0]?.body ?? "")).toMatchObject({
      id: "eth-new",
      notification_id: "ops-hook",
      policies: { gas_price_cap: 80_000_000_000, eip1559_pricing: false },
    });
    expect(ran.questions).toContain("  a relayer with the id eth-main-1 already exists");
    expect(ran.stderr).toContain(
      "--id eth-new --notification-id ops-hook --policy eip1559_pricing=false --policy gas_price_cap=80gwei\n",
    );
  });

  test("sends nested policies and lists as entered", async () => {
    const ran = await asked(`${LINE} --network mainnet --network-type stellar`, [
      "",
      "none",
      "user",
      ["swap_config"],
      "set its fields",
      ["strategies"],
      "add",
      "soroswap",
      "done",
    ]);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.writes[0]?.body).toContain(
      '"policies":{"fee_payment_strategy":"user","swap_config":{"strategies":["soroswap"]}}',
    );
  });
});

const CREATE = "relayers create -f r.json --id copy --signer-id signer-new";

/** What `relayers get -o json` prints of a relayer of the demo, as a file. */
async function printed(id: string, change: (text: string) => string = (text) => text) {
  const { stdout } = await cli(`relayers get ${id} -o json`);
  return { files: { "r.json": change(stdout) } };
}

const unmasked = (text: string) => text.replaceAll("/***", "/v3/key");

describe("relayers create -f with the output of relayers get -o json", () => {
  test.each(["eth-main-1", "eth-main-2", "sol-pay", "xlm-treasury"])("creates a relayer like %s", async (id) => {
    const world = await printed(id, unmasked);
    const ran = await exits(0, `${CREATE} --dry-run`, world);
    expect(ran.stderr).toContain("note: r.json: fields that the service sets are left out: address, system_disabled");
    const { address: _, system_disabled: __, ...rest } = JSON.parse(world.files["r.json"]);
    const sent = JSON.parse(ran.stdout.slice(ran.stdout.indexOf("\n{")));
    const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
    expect(Object.keys(sent).sort()).toEqual(Object.keys(set).sort());
    expect(sent).toMatchObject({ policies: rest.policies, id: "copy", signer_id: "signer-new", network: rest.network });
  });

  test("reads it from stdin", async () => {
    const stdin = (await printed("eth-main-1", unmasked)).files["r.json"];
    await exits(0, `${CREATE.replace("r.json", "-")} --dry-run`, { stdin });
  });

  test("leaves out fields of a later service, and null", async () => {
    const later = (text: string) => unmasked(text).replace('"name"', '"later": 1, "disabled_reason": null, "name"');
    const ran = await exits(0, `${CREATE} --dry-run`, await printed("eth-main-1", later));
    expect(ran.stderr).toMatch(/left out: later, disabled_reason, address, system_disabled\n/);
    expect(ran.stdout).not.toContain("null");
  });

  test("sends no masked URL, and shows how to specify the URLs", async () => {
    const world = await printed("eth-main-1");
    const ran = await ends({ exitCode: 2, writes: [] }, CREATE, world);
    expect(ran.stderr).toContain("is masked by the service");
    expect(ran.stderr).toContain(`hint: relayctl ${CREATE} --rpc-url URL\n`);
    await exits(0, `${CREATE} --rpc-url https://rpc.example.org/v3/key --dry-run`, world);
  });
});

test("an unknown field of a file that was written by hand is refused", async () => {
  const files = { "r.json": '{"name":"A","network":"sepolia","network_type":"evm","polices":{}}' };
  await says({ exitCode: 2, writes: [] }, CREATE, "unknown field: polices", { files });
});

describe("relayers clone", () => {
  const A = {
    id: "a",
    name: "A",
    network: "sepolia",
    network_type: "evm",
    paused: false,
    policies: { gas_price_cap: 80000000000, min_balance: 1 },
    address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    system_disabled: false,
    disabled_reason: null,
    signer_id: "s1",
    notification_id: "ops",
    custom_rpc_urls: null,
    later: 1,
  };
  const CLONE = "relayers clone a --id b --signer-id s2";

  /** The body that would be sent for a relayer, and the output. */
  async function cloned(line: string, original: object = A) {
    const service = scriptedService({ expect: "GET /api/v1/relayers/a", reply: success(original) }).transport;
    const ran = await cli(`${line} --dry-run`, { service });
    return { ...ran, body: ran.stdout === "" ? undefined : JSON.parse(ran.stdout.slice(ran.stdout.indexOf("\n{"))) };
  }

  test("sends the fields and policies of the other relayer, without those that the service sets", async () => {
    const { body } = await exited(0, cloned(CLONE));
    expect(body).toEqual({
      id: "b",
      name: "A",
      network: "sepolia",
      network_type: "evm",
      signer_id: "s2",
      notification_id: "ops",
      paused: false,
      policies: A.policies,
    });
  });

  test("prefers typed values", async () => {
    const { body } = await cloned(
      `${CLONE} --name B --paused --notification-id other --rpc-url https://b.example,weight=7`,
    );
    expect(body).toMatchObject({ name: "B", paused: true, notification_id: "other" });
    expect(body.custom_rpc_urls).toEqual([{ url: "https://b.example", weight: 7 }]);
  });

  test("copies URLs that can be read, and never a masked one", async () => {
    const whole = await cloned(CLONE, { ...A, custom_rpc_urls: [{ url: "https://b.example", weight: 7 }] });
    expect(whole.body.custom_rpc_urls).toEqual([{ url: "https://b.example", weight: 7 }]);
    const masked = await cloned(CLONE, { ...A, custom_rpc_urls: [{ url: "https://b.example/***", weight: 7 }] });
    expect(masked.body).not.toHaveProperty("custom_rpc_urls");
    expect(masked.stderr).toContain("warning: the RPC URLs of a are masked and not copied");
  });

  test("requires a signer before anything is sent", () =>
    says({ exitCode: 2, requests: [] }, "relayers clone eth-main-1 --id b", "--signer-id: is required"));

  test("exits with 6 for an ID in use", () =>
    ends({ exitCode: 6, writes: [] }, "relayers clone base-hot --id eth-main-1 --signer-id s"));
});
