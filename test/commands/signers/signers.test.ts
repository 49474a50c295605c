import { cli, ends, exits, says } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";
import { writtenService } from "../../helpers/service/written.ts";

const world = { service: writtenService("signers") };

describe("signers list", () => {
  test("shows an identifier of each key, and no secret", async () => {
    const { stdout } = await exits(0, "signers list", { ...world, terminal: true });
    expect(stdout).toMatchInlineSnapshot(`
      "[2mID[22m            [2mTYPE[22m              [2mKEY[22m
      azure-1       azure_key_vault   relayer
      cdp-1         cdp               0x8ba1f109551bd432803012645ac136ddd64dba72
      gcp-1         google_cloud_kms  key
      hot-1         local             [2m–[22m
      old-key       local             [2m–[22m
      transit-1     vault_transit     relayer
      treasury-kms  aws_kms           1234abcd-12ab-34cd-56ef-1234567890ab
      turnkey-1     turnkey           02bb
      vault-1       vault             relayer
      "
    `);
  });

  test("prints documented columns to a pipe", async () => {
    const { stdout } = await cli("signers list --where type=aws_kms", world);
    expect(stdout).toBe(
      'treasury-kms\taws_kms\t{"region":"eu-west-1","key_id":"1234abcd-12ab-34cd-56ef-1234567890ab"}\n',
    );
  });
});

describe("signers get", () => {
  test.each(["hot-1", "gcp-1", "azure-1"])("%s", async (id) => {
    const { stdout } = await cli(`signers get ${id}`, { ...world, terminal: true });
    expect(stdout).toMatchSnapshot();
  });

  test("exits with 5 for an unknown signer, with the service's message", async () => {
    expect(await cli("signers get zz", world)).toMatchObject({ exitCode: 5, stdout: "" });
    expect((await cli("signers get zz", world)).stderr).toContain("Signer with ID zz not found");
  });

  test("shows the version that introduced signers for an older service", async () => {
    const service = async () => reply(404);
    await says(7, "signers get s1", "this service does not have this route; it was added in v1.1", { service });
  });
});

describe("signers delete", () => {
  test("asks, deletes, and reports", async () => {
    const asked = await cli("signers delete old-key", { ...world, terminal: true, answers: [true] });
    expect(asked.stderr).toContain("no relayer uses it");
    expect(asked.writes.map(({ method, target }) => `${method} ${target}`)).toEqual(["DELETE /api/v1/signers/old-key"]);
    expect(asked.stderr).toContain("signer old-key");
  });

  test("lists the relayers that use the signer, and sends nothing", async () => {
    const { stderr } = await ends({ exitCode: 6, writes: [] }, "signers delete treasury-kms --yes", world);
    expect(stderr).toContain("relayers use signer treasury-kms: eth-main-1");
    expect(stderr).toContain("relayctl relayers get eth-main-1");
    const demo = await cli("--demo signers delete treasury-kms --yes", world);
    expect(demo.stderr).toContain("relayctl --demo relayers get eth-main-1");
  });

  test("requires --yes without a terminal", async () =>
    expect(await cli("signers delete old-key", world)).toMatchObject({ exitCode: 3, requests: [] }));
});

test("keeps the service's message when it refuses to update a signer", async () => {
  const { stderr } = await exits(7, "api PATCH /signers/hot-1 -f - --yes", { ...world, stdin: "{}" });
  expect(stderr).toContain("Signer updates are not allowed for security reasons.");
});
