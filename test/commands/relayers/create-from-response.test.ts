import { cli, ends, exits, says } from "../../helpers/cli.ts";

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
