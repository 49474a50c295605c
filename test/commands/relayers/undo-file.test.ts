import { cli, ends, exits, SERVER, TOKEN, type World } from "../../helpers/cli.ts";
import { CANNOT_UNDO, undoIn } from "../../helpers/receipts.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { reply } from "../../helpers/service/reply.ts";
import { argvsUnder, argvUnder } from "../../helpers/shell.ts";

/** A service with its files, and how its list looks now. */
function demo(more: World = {}) {
  const world = { store: demoStore(), lineFiles: new Map<string, string[]>(), ...more };
  const list = async () => (await cli("relayers list -o json", { store: world.store })).stdout;
  return { world, list, kept: () => world.lineFiles.get("undo") };
}

describe("--undo-file of pause", () => {
  test("has the IDs that were paused, and the receipt has the command that reads the file", async () => {
    const { world, list, kept } = demo();
    const before = await list();
    const ran = await cli("relayers pause --where network_type=evm --yes --undo-file undo", world);
    expect(kept()?.toSorted()).toEqual(["base-hot", "eth-main-1", "eth-sepolia", "polygon-bulk"]);
    expect(undoIn(ran.stderr)).toEqual(["relayctl relayers resume - --yes < undo"]);
    const undo = argvUnder("/bin/sh", "relayctl", undoIn(ran.stderr).join("").replace("< undo", ""));
    expect((await cli(undo, { ...world, stdin: `${kept()?.join("\n")}\n` })).exitCode).toBe(0);
    expect(await list()).toBe(before);
  });

  test("omits relayers that were already paused, even typed IDs", async () => {
    const { world, kept } = demo();
    await cli("relayers pause eth-main-1 eth-main-2 --yes --undo-file undo", world);
    expect(kept()).toEqual(["eth-main-1"]);
  });

  test("has the ID of a single relayer, and no further question is asked", async () => {
    const { world, kept } = demo();
    await ends({ exitCode: 0, stdout: "eth-main-1\n" }, "relayers pause eth-main-1 --undo-file undo -o name", world);
    expect(kept()).toEqual(["eth-main-1"]);
  });

  test("is not created for a relayer that is already paused", async () => {
    const { world, kept } = demo();
    expect((await cli("relayers pause eth-main-2 --undo-file undo", world)).exitCode).toBe(0);
    expect(kept()).toBeUndefined();
  });

  test("has IDs with an unknown outcome, but no refused ones", async () => {
    const lost = reply(504, "");
    const refused = reply(400, { success: false, data: null, error: "Relayer is disabled" });
    const listed = ["lost", "no"].map((id) => ({ id, network_type: "evm", paused: false }));
    const service: World["service"] = async ({ method, target }) => {
      if (method === "PATCH") return target.endsWith("/lost") ? lost : refused;
      return target.includes("?") ? reply(200, { success: true, data: listed }) : reply(404, "");
    };
    const { world, kept } = demo({ service });
    const ran = await cli("relayers pause lost no --yes --undo-file undo", world);
    expect([ran.exitCode, kept()]).toEqual([12, ["lost"]]);
    expect(undoIn(ran.stderr)).toEqual(["relayctl relayers resume - --yes < undo"]);
  });

  test("does not stop the changes if the disk is full, and missing IDs are reported", async () => {
    const { world, kept } = demo({ linesOfRoom: 1 });
    const ran = await cli(
      "relayers pause base-hot eth-main-1 eth-sepolia --concurrency 1 --yes --undo-file undo",
      world,
    );
    expect(ran).toMatchObject({ exitCode: 0, writes: { length: 3 } });
    expect(kept()).toEqual(["base-hot"]);
    expect(ran.stderr.match(/the disk is full/g)).toHaveLength(1);
    expect(ran.stderr).toContain("warning: undo: cannot be written: the disk is full; the changes continue\n");
    expect(ran.stderr).toContain("warning: not in undo: eth-main-1, eth-sepolia\n");
  });

  test("must not exist", async () => {
    const { world } = demo({ lineFiles: new Map([["undo", ["of an earlier run"]]]) });
    for (const targets of ["--all --yes", "eth-main-1"])
      await ends({ exitCode: 2, requests: [] }, `relayers pause ${targets} --undo-file undo`, world);
  });

  test("is not created if nothing is sent", async () => {
    const { world, kept } = demo();
    for (const flag of ["--dry-run", "--curl"])
      expect((await cli(`relayers pause --all --undo-file undo ${flag}`, world)).exitCode).toBe(0);
    expect((await cli("relayers pause --all --undo-file undo", world)).exitCode).toBe(3);
    expect(kept()).toBeUndefined();
  });

  test("in a protected context includes the context in its command", async () => {
    const contexts = { prod: { server: SERVER, token: TOKEN, protected: true } };
    const { world } = demo({ env: {}, config: { version: 1, current: "prod", contexts } });
    const ran = await cli("relayers resume eth-main-2 xlm-pay --confirm prod --undo-file 'my undo'", world);
    expect(undoIn(ran.stderr)).toEqual(["relayctl -c prod relayers pause - --confirm prod < 'my undo'"]);
  });
});

describe("--undo-file of update", () => {
  test("has a command for each relayer, which together restore all relayers", async () => {
    const { world, list, kept } = demo();
    const before = await list();
    const ran = await exits(0, "relayers update --where network_type=evm --name same --yes --undo-file undo", world);
    expect(undoIn(ran.stderr)).toEqual(["bash undo"]);
    for (const argv of argvsUnder("/bin/bash", "relayctl", kept()?.join("\n") ?? "")) await cli(argv, world);
    expect(await list()).toBe(before);
  });

  test("has a comment for a relayer that no command restores", async () => {
    const { world, kept } = demo();
    await cli("relayers update eth-main-1 --no-rpc-urls --undo-file undo", world);
    expect(kept()).toEqual([`# eth-main-1: ${CANNOT_UNDO}: the service masks the previous custom_rpc_urls`]);
  });

  test("does not count as a change", async () =>
    expect((await cli("relayers update eth-main-1 --undo-file undo")).exitCode).toBe(2));
});

describe("the IDs of very many relayers that were not changed", () => {
  const ALL = 300;
  const idOf = (number: number) => `relayer-${String(number).padStart(3, "0")}`;
  /** A service that refuses every relayer of the last 150. */
  const service: World["service"] = async ({ method, target }) => {
    const relayers = Array.from({ length: ALL }, (_, at) => ({ id: idOf(at), network_type: "evm", paused: false }));
    if (method === "GET") return reply(200, { success: true, data: target.includes("page=1&") ? relayers : [] });
    const id = target.split("/").at(-1) ?? "";
    if (id >= idOf(150)) return reply(400, { success: false, data: null, error: "Relayer is disabled" });
    return reply(200, { success: true, data: { id, paused: true } });
  };
  const config = { version: 1, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN } } } as const;

  test("are in a file of the run where the journal is on, with the command that reads it", async () => {
    const { world } = demo({ service, config, env: {} });
    const ran = await exits(12, "relayers pause --all --yes -o name", world);
    const [[path = "", lines = []] = []] = world.lineFiles;
    expect(path).toMatch(/^state\/retry\/[0-9a-f-]{36}\.ids$/);
    expect(lines.join("\n").split("\n")).toEqual(Array.from({ length: 150 }, (_, at) => idOf(150 + at)));
    const [retry, undo] = ran.stderr.trimEnd().split("\n").slice(-2);
    expect(retry).toBe(`retry: relayctl -c prod relayers pause - --yes < ${path}`);
    expect(undo).toMatch(/^undo: relayctl -c prod undo /);
    const again = await cli("relayers pause - --yes -o name", { ...world, stdin: `${lines.join("\n")}\n` });
    expect(again.writes).toHaveLength(150);
  });

  test("are kept nowhere without a journal, or where the same command reaches them all again", async () => {
    const { world } = demo({ service });
    await cli("relayers pause --all --yes -o name", world);
    const refused: World["service"] = async (request, limits) =>
      request.method === "GET" ? await service(request, limits) : reply(400, { success: false, error: "disabled" });
    await cli("relayers pause --all --yes -o name", { ...world, config, env: {}, service: refused });
    expect([...world.lineFiles.keys()]).toEqual([]);
  });

  test("do not fail the command where their file cannot be written", async () => {
    const { world } = demo({ service, config, env: {}, linesOfRoom: 0 });
    const { stderr } = await exits(12, "relayers pause --all --yes -o name", world);
    expect(stderr).toContain("warning: the IDs of 150 relayers were not kept: ");
    expect(stderr).toMatch(/\nundo: relayctl -c prod undo \S+\n$/);
  });
});
