import { type JsonObject, type JsonValue, parseJson } from "../../../src/contract/json.ts";
import { cli, ends, exits, type Ran } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { reply } from "../../helpers/service/reply.ts";
import { apply, described, type FleetWorld, fleetWorld, HOOK, listsOf, refusing, SIGNERS } from "./apply/world.ts";

/** What a fleet may not show: for each member that can be made of a variable, a value of its type. */
const MEMBERS: Readonly<Record<string, { lists: (text: JsonValue) => Record<string, JsonObject[]>; value: string }>> = {
  name: { lists: (name) => listsOf({ r1: { name } }), value: "Quarterly Zebra" },
  "part of a name": { lists: (name) => listsOf({ r1: { name: `x ${name} y` } }), value: "Zb7" },
  "an amount": { lists: (min_balance) => listsOf({ r1: { policies: { min_balance } } }), value: "77310045" },
  "an amount with a unit": {
    lists: (min_balance) => listsOf({ r1: { policies: { min_balance } } }),
    value: "7731gwei",
  },
  receiver: {
    lists: (one) => listsOf({ r1: { policies: { whitelist_receivers: [one] } } }),
    value: "0x52908400098527886E0F7030069857D2E4169EE7",
  },
  "RPC URL": {
    lists: (url) => listsOf({ r1: { custom_rpc_urls: [{ url, weight: 3 }] } }),
    value: "https://zebra.example.net/v3/zebrakey",
  },
  "bare RPC URL": {
    lists: (url) => listsOf({ r1: { custom_rpc_urls: [url] } }),
    value: "https://zebra.example.net/v3",
  },
  "URL of a hook": {
    lists: (url) => listsOf({}, { notifications: [{ ...HOOK, url }] }),
    value: "https://zebra.example.net/T/zebra",
  },
  "signing key": {
    lists: (signing_key) => listsOf({}, { notifications: [{ ...HOOK, signing_key }] }),
    value: "zebra-signing-key-0123456789-0123456789",
  },
  "a new hook": {
    lists: (url) => listsOf({}, { notifications: [HOOK, { ...HOOK, id: "new", url }] }),
    value: "https://zebra.example.net/new",
  },
  "region of a signer": {
    lists: (region) =>
      listsOf(
        {},
        {
          signers: SIGNERS.map((each, index) =>
            index > 0 ? each : { ...each, config: { ...(each.config as JsonObject), region } },
          ),
        },
      ),
    value: "zz-west-9",
  },
  "region of a new signer": {
    lists: (region) =>
      listsOf({}, { signers: [...SIGNERS, { id: "new", type: "aws_kms", config: { region, key_id: "k" } }] }),
    value: "zz-west-9",
  },
  "name of a new relayer": {
    lists: (name) =>
      listsOf(
        {},
        {
          relayers: [
            ...(listsOf().relayers ?? []),
            { ...described("new"), signer_id: "kms-r1", network: "mainnet", name },
          ],
        },
      ),
    value: "Quarterly Zebra",
  },
  "config of a plugin": {
    lists: (token) => listsOf({}, { plugins: [{ id: "sweep", path: "sweep.ts", config: { token } }] }),
    value: "zb4242",
  },
  "path of a plugin": { lists: (path) => listsOf({}, { plugins: [{ id: "sweep", path }] }), value: "zebra.ts" },
};

const FORMATS = ["table", "tsv", "csv", "json", "yaml", "ndjson", "markdown", "name"];
/** A reference of each form, with the variable or file that has the value. */
const REFERENCES = [`\${env:V}`, `\${file:v.txt}`] as const;

function worldOf(lists: Record<string, JsonObject[]>, value: string): FleetWorld {
  const world = fleetWorld({ lists, isJournaled: true });
  world.env.V = value;
  world.files["v.txt"] = value;
  world.journal = memoryJournal();
  return world;
}

/** Returns the spellings in which a value could leave: as it is, and as the integer that an amount becomes. */
function spellingsOf(value: string): string[] {
  return value.endsWith("gwei") ? [value, value.replace("gwei", "000000000"), "7731 gwei", "7,731"] : [value];
}

/** Undoes what encoders do to a text. */
function decoded(text: string): string {
  const plain = text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  return `${text}\n${plain}\n${plain.replaceAll('\\"', '"')}\n${plain.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))}`;
}

function leaksIn(texts: readonly string[], value: string): string[] {
  return texts.flatMap((text) => {
    const all = decoded(text);
    return spellingsOf(value).filter((one) => all.includes(one));
  });
}

function recordedBy({ journal }: FleetWorld): string {
  return JSON.stringify(journal.entries, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

function textsOf({ stdout, stderr }: Ran): string[] {
  return [stdout, stderr];
}

const CASES = Object.entries(MEMBERS).map(([title, member], turn) => [title, member, turn] as const);
const READS = ["plan", "drift"].flatMap((command) => FORMATS.map((format) => `${command} -f config.json -o ${format}`));
const APPLIES = ["--dry-run", "--curl", "--yes --confirm r1", "--yes", "-vv --yes --confirm r1"];

describe.each(REFERENCES.map((reference, at) => [reference, at] as const))(
  "No output of a plan contains a secret: what %s stands for",
  (reference, at) => {
    test.each(sampled(CASES, 4, at))(
      "%s is in no plan, no drift, and no saved plan",
      async (_, { lists, value }, turn) => {
        const world = worldOf(lists(reference), value);
        for (const line of sampled(READS, READS.length, turn + 2 * at)) {
          const ran = await cli(`${line} --color never`, world);
          expect([0, 20]).toContain(ran.exitCode);
          expect(leaksIn(textsOf(ran), value)).toEqual([]);
        }
        await cli("plan -f config.json --out saved.json", world);
        expect(leaksIn([world.files["saved.json"] ?? ""], value)).toEqual([]);
        expect(world.files["saved.json"]).toContain('"checksum"');
      },
    );

    test.each(sampled(CASES, 4, at + 1))(
      "%s is in nothing that apply prints or records",
      async (_, { lists, value }, turn) => {
        for (const rest of sampled(APPLIES, APPLIES.length, turn + 2 * at)) {
          const world = worldOf(lists(reference), value);
          const ran = await cli(`apply -f config.json ${rest}`, world);
          expect(leaksIn(textsOf(ran), value)).toEqual([]);
          expect(leaksIn([recordedBy(world)], value)).toEqual([]);
          for (const next of [
            "plan -f config.json -o json -vv",
            "drift -f config.json -vv",
            "apply -f config.json --yes -vv",
          ])
            expect(leaksIn(textsOf(await cli(next, world)), value), next).toEqual([]);
        }
      },
    );

    test.each(sampled(CASES, 6, at))(
      "%s is in no saved plan that is applied, whose values must be the same",
      async (_, { lists, value }) => {
        const world = worldOf(lists(reference), value);
        await cli("plan -f config.json --out saved.json", world);
        const { changes } = parseJson(world.files["saved.json"] ?? "") as { changes: JsonValue[] };
        const other = value
          .replace("zebra", "koala")
          .replace("Zebra", "Koala")
          .replace("77", "78")
          .replace("zb", "kb")
          .replace("Zb", "Kb")
          .replace("zz", "kk")
          .replace("EE7", "EE8");
        const before = { env: world.env.V, file: world.files["v.txt"] };
        Object.assign(world.env, { V: other });
        world.files["v.txt"] = other;
        const refused = await ends({ exitCode: 6, writes: [] }, "apply saved.json --yes", world);
        expect(refused.stderr).toMatch(/: .*\$\{(?:env:V|file:v\.txt)\}.* has another value now/);
        expect(leaksIn(textsOf(refused), value)).toEqual([]);
        Object.assign(world.env, { V: before.env });
        world.files["v.txt"] = before.file ?? "";
        const applied = await cli("apply saved.json --yes --confirm r1 -vv", world);
        expect(leaksIn(textsOf(applied), value)).toEqual([]);
        if (changes.length > 0) expect(applied.writes.length).toBeGreaterThan(0);
      },
    );

    test.each(sampled(CASES, 6, at + 1))("%s is in no refusal of the service", async (_, { lists, value }) => {
      const world = worldOf(lists(reference), value);
      const base = refusing({ ...world, service: fleetWorld({ isReal: true }).service } as FleetWorld, "NONE", "");
      const answering: typeof base = async (request, limits) =>
        request.method === "GET"
          ? await base(request, limits)
          : reply(400, { success: false, data: null, error: `Invalid: ${request.body}` });
      const ran = await cli("apply -f config.json --yes --confirm r1 -vv", { ...world, service: answering });
      expect(leaksIn(textsOf(ran), value)).toEqual([]);
      expect(leaksIn([recordedBy(world)], value)).toEqual([]);
    });
  },
);

describe("a variable whose value may be seen", () => {
  const byId = listsOf({}, { notifications: [{ ...HOOK, id: `\${env:V}` }] });

  test("is needed for an ID, and for what points to another resource", async () => {
    for (const lists of [
      byId,
      ...["signer_id", "network", "network_type", "notification_id", "id"].map((name) =>
        listsOf({ r1: { [name]: `\${env:V}` } }),
      ),
      listsOf({}, { networks: `\${env:V}` as unknown as JsonObject[] }),
      listsOf({}, { networks: [{ type: "evm", network: `\${file:v.txt}`, rpc_urls: [] }] }),
    ]) {
      const ran = await ends({ exitCode: 2, requests: [] }, "plan -f config.json", worldOf(lists, "kms-r1-zebra"));
      expect(ran.stderr).toContain("--allow-env NAME");
      expect(leaksIn(textsOf(ran), "kms-r1-zebra")).toEqual([]);
    }
  });

  test("is shown as if it stood in the file", async () => {
    const ran = await cli("plan -f config.json -o json --allow-env V", worldOf(byId, "ops-zebra"));
    expect(ran.stdout).toContain("ops-zebra");
    const named = await cli(
      "plan -f config.json -o json --allow-env V",
      worldOf(listsOf({ r1: { name: `\${env:V}` } }), "Zebra"),
    );
    expect(named.stdout).toContain('"after": "Zebra"');
  });

  test("is never that of a token", async () => {
    for (const name of ["RELAYCTL_TOKEN", "GH_TOKEN", "TOKEN", "a-b"])
      expect(await cli(`plan -f config.json --allow-env ${name}`, fleetWorld())).toMatchObject({
        exitCode: 2,
        requests: [],
      });
  });
});

test("nothing that is wrong with a value shows it", async () => {
  const value = "zebra-crossing-1";
  const wrong = [
    listsOf({ r1: { policies: { min_balance: `\${env:V}` } } }),
    listsOf({ r1: { policies: { min_balance: `\${env:V}gwie` } } }),
    listsOf({ r1: { custom_rpc_urls: [`\${env:V}`] } }),
    listsOf({ r1: { paused: `\${env:V}` } }),
    listsOf({}, { notifications: [{ ...HOOK, url: `\${env:V}` }] }),
    listsOf({}, { notifications: [{ ...HOOK, type: `\${env:V}` }] }),
    listsOf({}, { notifications: [{ ...HOOK, signing_key: { type: "env", value: `\${env:V}` } }] }),
    listsOf({}, { notifications: [{ ...HOOK, signing_key: { type: `\${env:V}`, value: "V" } }] }),
    listsOf({}, { networks: `\${env:V}` as unknown as JsonObject[] }),
  ];
  const unfit = listsOf({}, { signers: [...SIGNERS, { id: "n", type: `\${env:V}`, config: {} }] });
  const planned = await exits(20, "plan -f config.json", worldOf(unfit, value));
  expect(leaksIn(textsOf(planned), value)).toEqual([]);
  for (const lists of wrong) {
    const ran = await exits(2, "plan -f config.json", worldOf(lists, value));
    expect(leaksIn(textsOf(ran), value)).toEqual([]);
  }
});

test("a text that looks like a reference stays one, also next to the same reference", async () => {
  const world = worldOf(listsOf({ r1: { name: `$\${env:V}` }, r2: { name: `\${env:V}` } }), "Zebra");
  const { requests } = await apply(world);
  const bodies = requests.filter(({ method }) => method === "PATCH").map(({ body }) => String(body));
  expect(bodies.sort()).toEqual([`{"name":"\${env:V}"}`, '{"name":"Zebra"}']);
});
