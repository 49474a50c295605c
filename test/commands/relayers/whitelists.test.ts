import type { NetworkKind } from "../../../src/contract/network-kind.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { cli, exits } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import type { ScriptedAnswer } from "../../helpers/scripted-prompts.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { success } from "../../helpers/service/reply.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";
import { TOKEN as SECRET, SERVER, type World } from "../../helpers/test-app.ts";

const ENV = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: SECRET };
const TREASURY = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const PROGRAM = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
const TOKEN = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
const CIRCLE = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN";
const LABELS = {
  evm: { treasury: TREASURY, broken: "0x12" },
  solana: { program: PROGRAM },
  stellar: { token: TOKEN, circle: CIRCLE },
};
const WRONG_CHECKSUM = "0x52908400098527886E0F7030069857D2E4169Ee7";

/** A list of addresses: what may be typed with the address that is sent, and what may not. */
interface Field {
  kind: NetworkKind;
  name: string;
  /** The member that has the address, if the entries are objects. */
  key?: "mint" | "asset";
  typed: Readonly<Record<string, string>>;
  wrong: readonly string[];
}

const solana = (name: string, key?: "mint"): Field => ({
  kind: "solana",
  name,
  ...(key && { key }),
  typed: { "@program": PROGRAM, [PROGRAM]: PROGRAM },
  wrong: ["@nobody", "@treasury", "program", "0x12", TREASURY, "1".repeat(44), `${PROGRAM.slice(0, -1)}0`],
});

const FIELDS: readonly Field[] = [
  {
    kind: "evm",
    name: "whitelist_receivers",
    typed: { "@treasury": TREASURY, [TREASURY]: TREASURY },
    wrong: ["@nobody", "@program", "@broken", "treasury", "0x12", WRONG_CHECKSUM, PROGRAM, `0x12${"@treasury"}`],
  },
  ...["allowed_programs", "allowed_accounts", "disallowed_accounts"].map((name) => solana(name)),
  solana("allowed_tokens", "mint"),
  {
    kind: "stellar",
    name: "allowed_tokens",
    key: "asset",
    typed: { "@token": TOKEN, [TOKEN]: TOKEN, "USDC:@circle": `USDC:${CIRCLE}`, [`USDC:${CIRCLE}`]: `USDC:${CIRCLE}` },
    wrong: [
      "@nobody",
      "@circle",
      "USDC:@token",
      "USDC:@treasury",
      TREASURY,
      TOKEN.replace("QGAXE", "QGAXF"),
      `USDC:${CIRCLE.replace("KZVN", "KZVM")}`,
    ],
  },
];

const KINDS = {
  evm: { id: "eth-main-1", network: "sepolia" },
  solana: { id: "sol-pay", network: "devnet" },
  stellar: { id: "xlm-treasury", network: "testnet" },
};

const entry = ({ key }: Pick<Field, "key">, item: string) => (key ? { [key]: item } : item);

/** The policies with one list of one entry, and what a relayer of the kind needs besides. */
const policies = (field: Field, item: string) => ({
  ...(field.kind === "stellar" && { fee_payment_strategy: "user" }),
  [field.name]: [entry(field, item)],
});

const world = (files: Readonly<Record<string, unknown>> = {}): World => ({
  config: { version: 1, contexts: {}, labels: LABELS },
  files: Object.fromEntries(Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)])),
});

const update = ({ kind }: Field, ...flags: string[]) => cli(["relayers", "update", KINDS[kind].id, ...flags], world());
const create = ({ kind }: Field, flags: readonly string[], given: World) => {
  const place = ["--network", KINDS[kind].network, "--network-type", kind];
  return cli(["relayers", "create", "--name", "New", "--signer-id", "s-new", ...place, ...flags], given);
};
const inFile = (flag: string, content: object) =>
  [[flag, "file.json", "--yes"], world({ "file.json": content })] as const;
const word = (field: Field, item: string) => `${field.name}=${field.key ? JSON.stringify([entry(field, item)]) : item}`;

/** What is chosen and typed at the prompts of one list. */
const answers = (field: Field, item: string, isFine: boolean): ScriptedAnswer[] => {
  const left = field.kind === "solana" && field.name === "allowed_tokens" ? "keep" : "leave unset";
  if (!isFine) return [[field.name], "add", item, "", left];
  return [[field.name], "add", item, field.key ? [] : "", "done"];
};

/** Prompts for a list of a relayer that has none yet. */
const created = (field: Field, item: string, isFine: boolean) => {
  const strategy = field.kind === "stellar" ? ["user"] : [];
  const rest = answers(field, item, isFine).map((each) => (each === "keep" ? "leave unset" : each));
  const given = { ...world(), terminal: true, answers: ["none", ...strategy, ...rest, true] };
  return create(field, ["-i", "--id", "new"], given);
};

/** Puts a list of one entry into the editor's document. A refused text is returned unchanged, which ends the edit. */
const edited = (field: Field, item: string) => {
  const list = JSON.stringify([entry(field, item)]);
  const put = (text: string) =>
    text.replace(new RegExp(`("${field.name}": )(?:null|\\[[^]*?\\n?\\s*\\])(,?)( //[^\\n]*)?\\n`), `$1${list}$2\n`);
  const given = { ...world(), terminal: true, edits: [put, (text: string) => text], answers: [true] };
  return cli(`relayers edit ${KINDS[field.kind].id} --editor`, given);
};

const fleetFile = (field: Field, item: string) => {
  const { network } = KINDS[field.kind];
  const relayer = { id: "r", name: "r", network, network_type: field.kind, paused: false, signer_id: "signer-sol" };
  return { "file.json": { relayers: [{ ...relayer, policies: policies(field, item) }] } };
};

const fleet = (command: string) => (field: Field, item: string) =>
  cli([command, "-f", "file.json", ...(command === "apply" ? ["--yes"] : [])], world(fleetFile(field, item)));

/** Applies a plan that was saved; the labels are gone by then. */
const saved = async (field: Field, item: string) => {
  const given = world(fleetFile(field, item));
  const ran = await cli("plan -f file.json --out plan.json", given);
  if (given.files?.["plan.json"] === undefined) return ran;
  return await cli("apply plan.json --yes", { ...given, config: { version: 1, contexts: {} } });
};

const GONE = { evm: `0x${"1".repeat(40)}`, solana: "So11111111111111111111111111111111111111112", stellar: "native" };

/** Updates a file whose list has an entry that the service lacks; the other one stays as it is written. */
const updated = async (field: Field, item: string) => {
  const store = demoStore();
  const ran = await cli("apply -f file.json --yes", { ...world(fleetFile(field, item)), store });
  const more = fleetFile(field, item);
  for (const relayer of more["file.json"].relayers)
    Object.assign(relayer.policies, { [field.name]: [entry(field, GONE[field.kind]), entry(field, item)] });
  const given = { ...world(more), store };
  const exported = await cli("export -f file.json", given);
  const { relayers } = JSON.parse(given.files?.["file.json"] ?? "{}");
  if (sentIn(ran).length > 0) expect(relayers[0].policies[field.name]).toEqual([entry(field, item)]);
  return exported.exitCode === 2 ? exported : ran;
};

interface Ran extends Pick<Awaited<ReturnType<typeof cli>>, "exitCode" | "stdout" | "stderr" | "questions"> {
  writes: readonly { body?: string }[];
}

interface Door {
  enter(field: Field, item: string, isFine: boolean): Promise<Ran>;
  /** Where no label stands for an address: what is shared with other machines, and what a service returned. */
  takesNoLabels?: true;
  /** Whether a refused text is asked for again. */
  asksAgain?: true;
  /** Where what the API would refuse in a new relayer is a row of the plan; a label without an address is still refused. */
  isFleet?: true;
}

/** Every place where a list of addresses is given. */
const DOORS: Readonly<Record<string, Door>> = {
  "update --policy": { enter: (field, item) => update(field, "--policy", word(field, item)) },
  "update --policy with JSON": {
    enter: (field, item) => update(field, "--policy", `${field.name}=${JSON.stringify([entry(field, item)])}`),
  },
  "update -f": {
    enter: (field, item) => {
      const [flags, given] = inFile("-f", { policies: { [field.name]: [entry(field, item)] } });
      return cli(["relayers", "update", KINDS[field.kind].id, ...flags], given);
    },
  },
  "update --policies": {
    enter: (field, item) => {
      const [flags, given] = inFile("--policies", { [field.name]: [entry(field, item)] });
      return cli(["relayers", "update", KINDS[field.kind].id, ...flags], given);
    },
  },
  "update of several relayers": {
    enter: (field, item) => {
      const chosen = ["--where", `network_type=${field.kind}`, "--policy", word(field, item)];
      return cli(["relayers", "update", ...chosen, "--yes"], world());
    },
  },
  "create --policy": {
    enter: (field, item) => {
      const strategy = field.kind === "stellar" ? ["--policy", "fee_payment_strategy=user"] : [];
      return create(field, [...strategy, "--policy", word(field, item)], world());
    },
  },
  "create -f": { enter: (field, item) => create(field, ...inFile("-f", { policies: policies(field, item) })) },
  "create --policies": { enter: (field, item) => create(field, ...inFile("--policies", policies(field, item))) },
  "create -i": { enter: created, asksAgain: true },
  edit: {
    enter: (field, item, isFine) => {
      const given = { ...world(), terminal: true, answers: [...answers(field, item, isFine), true] };
      return cli(`relayers edit ${KINDS[field.kind].id}`, given);
    },
    asksAgain: true,
  },
  "edit --editor": { enter: edited },
  clone: {
    enter: async (field, item) => {
      const fields = { network_type: field.kind, paused: false, policies: policies(field, item) };
      const original = { id: "a", name: "A", network: KINDS[field.kind].network, ...fields };
      const service = scriptedService({ expect: "GET /api/v1/relayers/a", reply: success(original) }).transport;
      const ran = await cli("relayers clone a --id b --signer-id s2 --dry-run", { ...world(), service });
      return { ...ran, writes: ran.stdout === "" ? [] : [{ body: ran.stdout.slice(ran.stdout.indexOf("\n{")) }] };
    },
    takesNoLabels: true,
  },
  apply: { enter: fleet("apply"), isFleet: true },
  plan: { enter: fleet("plan"), isFleet: true },
  drift: { enter: fleet("drift"), isFleet: true },
  "apply of a saved plan": { enter: saved, isFleet: true },
  "export -f": { enter: updated, isFleet: true },
};

const sentIn = ({ writes }: Ran) =>
  writes.flatMap(({ body = "{}" }) => (JSON.parse(body).policies === undefined ? [] : [JSON.parse(body).policies]));

const CASES = Object.entries(DOORS).flatMap(([door, { enter, ...rest }]) =>
  FIELDS.map((field) => ({ door, kind: field.kind, name: field.name, field, ...rest, enter })),
);

test.each(sampled(CASES, 26))("a list of addresses, in $door, $kind, $name, has those of labels", async (each) => {
  const { door, field, enter, takesNoLabels } = each;
  for (const [typed, address] of Object.entries(field.typed)) {
    if (takesNoLabels && typed.includes("@")) continue;
    const ran = await enter(field, typed, true);
    if (door === "plan" || door === "drift") expect(ran.exitCode, ran.stderr).toBe(20);
    else expect(sentIn(ran).length, `${typed}: ${ran.stderr}`).toBeGreaterThan(0);
    for (const sent of sentIn(ran))
      expect(sent[field.name].at(-1)).toEqual(field.key ? expect.objectContaining({ [field.key]: address }) : address);
  }
});

test.each(sampled(CASES, 26, 7))("a list of addresses, in $door, $kind, $name, has no other text", async (each) => {
  const { field, enter, takesNoLabels, asksAgain, isFleet } = each;
  const labels = takesNoLabels ? Object.keys(field.typed).filter((typed) => typed.includes("@")) : [];
  for (const item of [...field.wrong, ...labels]) {
    const ran = await enter(field, item, false);
    expect(JSON.stringify(sentIn(ran)), `${item}: ${ran.stderr}`).not.toContain(field.name);
    if (asksAgain) expect(ran.questions.filter((question) => question.startsWith("  "))).toHaveLength(1);
    else if (isFleet && !item.includes("@")) {
      expect([6, 20], ran.stderr).toContain(ran.exitCode);
      expect(ran.stdout + ran.stderr).toMatch(new RegExp(`cannot create relayer r: policies\\.${field.name}`));
    } else
      expect(ran, `${item}: ${ran.stderr}`).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(field.name) });
  }
});

test.each([
  ["relayers edit eth-main-1", [["whitelist_receivers"], "add", "@treasury", "", "done", true]],
  ["apply -f file.json", [true]],
  ["plan -f file.json", []],
] as const)("a label is shown with its address before it is sent: %s", async (line, given) => {
  const file = fleetFile(FIELDS[0] as Field, "@treasury");
  const { stdout, stderr } = await cli(line, {
    ...world(file),
    terminal: true,
    answers: [...given] as ScriptedAnswer[],
  });
  expect(stdout + stderr).toContain(`${TREASURY} @treasury`);
});

test("a label that comes from a variable is refused, unless the value may be seen", async () => {
  const given = {
    ...world(fleetFile(FIELDS[0] as Field, `${"$"}{env:RECEIVER}`)),
    env: { ...ENV, RECEIVER: "@treasury" },
  };
  expect(await cli("plan -f file.json", given)).toMatchObject({ exitCode: 2, writes: [] });
  const seen = await exits(20, "plan -f file.json --allow-env RECEIVER -o json", given);
  expect(seen.stdout).toContain(TREASURY);
});

test("labels are read only for a file that has one", async () => {
  const given = (item: string): World => {
    const read = () => Promise.reject(new RelayctlError("io", "config.json: cannot be read"));
    return { ...world(fleetFile(FIELDS[0] as Field, item)), configStore: { read }, env: ENV };
  };
  expect(await cli("plan -f file.json", given(TREASURY))).toMatchObject({ exitCode: 20 });
  expect(await cli("plan -f file.json", given("@treasury"))).toMatchObject({ exitCode: 74, requests: [] });
});
