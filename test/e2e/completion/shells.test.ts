import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../helpers/remove-folder.ts";
import { newFolder, relayctl, type World } from "../relayctl.ts";
import { type EmbeddedService, openService } from "../services/embedded.ts";
import { keepIds, startSession } from "./session.ts";
import { found, missing } from "./shells.ts";

test("bash is installed", () => expect(found.map(({ name }) => name)).toContain("bash"));

test.each(missing)("%s is not installed: its tests did not run", (name) =>
  expect(found.map((shell) => shell.name)).not.toContain(name),
);

/** Where all shells complete the same IDs, some of which a shell has to quote. */
const folder = mkdtempSync(join(tmpdir(), "relayctl-shells-"));
let service: EmbeddedService;
let world: World;

beforeAll(async () => {
  service = await openService();
  world = { folder, env: service.env };
  const evm = ["--id", "evm-ops", "--name", "Ops", "--network", "sepolia", "--network-type", "evm"];
  const made = [["relayers", "create", ...evm, "--signer-id", "signer-new"]];
  for (const id of ["two words", "urn:ops:1", "it's", "cost$(id)", 'say"so'])
    made.push(["notifications", "create", "--id", id, "--url", "https://hooks.example.org/"]);
  for (const words of made) expect(await relayctl(words, world)).toMatchObject({ exitCode: 0 });
});

afterAll(async () => {
  await service.close();
  removeFolder(folder);
});

describe.each(found)("in $name", (shell) => {
  test("completes the words of the program, and leaves files to the shell", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "bodies"));
    writeFileSync(join(folder, "bodies/a b.json"), "{}");
    const { completed } = await startSession(shell, { folder });
    expect(await completed("relayctl relayers upd")).toBe("relayctl relayers update ");
    expect(await completed("relayctl relayers list --output=nd")).toBe("relayctl relayers list --output=ndjson ");
    expect(await completed("relayctl relayers list --fields id,na")).toBe(
      "relayctl relayers list --fields id,name".padEnd(shell.name === "fish" ? 40 : 0),
    );
    expect(await completed("relayctl relayers update x --policy gas_p")).toBe(
      "relayctl relayers update x --policy gas_price_cap=",
    );
    expect(await completed("relayctl relayers update x -f bod")).toBe("relayctl relayers update x -f bodies/");
    expect(await completed("relayctl relayers update x --file=bodies/a")).toBe(
      "relayctl relayers update x --file=bodies/a\\ b.json ",
    );
    expect(await completed("relayctl relayers get nothing-like-it")).toBe("relayctl relayers get nothing-like-it");
  });

  test("lists IDs with descriptions, and completes them", async () => {
    for (const words of ["relayers update ", "tx replace ", "tx replace polygon-bulk "])
      await keepIds(`relayctl ${words}`, world);
    const { type, completed } = await startSession(shell, world);
    const listed = await type(`relayctl relayers update ${shell.list}`, /xlm-treasury/);
    for (const id of ["base-hot", "eth-main-1", "eth-main-2", "polygon-bulk"]) expect(listed).toContain(id);
    expect(listed).toMatch(/base-hot.*base, active/);
    if (shell.name === "zsh") expect(listed).toMatch(/\neth-main-1 +-- mainnet, active *\n/);
    await type("\u0015\u0007", /<>/);
    expect(await completed("relayctl relayers update eth-s")).toBe("relayctl relayers update eth-sepolia ");
    expect(await completed("relayctl tx replace evm")).toBe("relayctl tx replace evm-ops ");
    expect(await completed("relayctl tx replace pol")).toBe("relayctl tx replace polygon-bulk ");
    expect(await completed("relayctl tx replace polygon-bulk d2")).toBe(
      "relayctl tx replace polygon-bulk d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293 ",
    );
    const listedFormats = await type(`relayctl relayers list -o ${shell.list}`, /yaml/);
    for (const format of ["table", "json", "ndjson", "csv", "tsv", "name", "raw"])
      expect(listedFormats).toContain(format);
  });

  test("quotes IDs for the shell", async () => {
    await keepIds("relayctl notifications get ", world);
    const { completed } = await startSession(shell, world);
    const get = "relayctl notifications get";
    expect(await completed(`${get} tw`)).toBe(`${get} two\\ words `);
    expect(await completed(`${get} urn:o`)).toBe(`${get} urn:ops:1 `);
    expect(await completed(`${get} it`)).toBe(`${get} it\\'s `);
    expect(await completed(`${get} cos`)).toBe(`${get} cost\\$\\(id\\) `);
    expect(await completed(`${get} 'tw`)).toBe(`${get} 'two words' `);
    expect(await completed(`${get} "say`)).toBe(`${get} "say\\"so" `);
  });
});
