import { cli, exits } from "../../helpers/cli.ts";
import { fleetOf, worldOf } from "./world.ts";

const writesOf = (requests: readonly string[]) => requests.filter((request) => !request.includes(" GET "));

describe.each(["pause", "freeze"])("relayers %s of an ID that not every context has", (verb) => {
  test("pauses it where it is, and ends with 12", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    const number = verb === "pause" ? 2 : 1;
    const ran = await exits(12, `relayers ${verb} a -c eu,us --confirm ${number}`, world);
    expect(ran.stdout).toMatch(/^a\t.*\teu\n$/);
    expect(writesOf(requests)).toContain("eu PATCH /api/v1/relayers/a");
    expect(ran.stderr).toContain("us: ");
  });
});

describe("relayers pause in several contexts", () => {
  test("reads IDs from stdin once, for all contexts", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a", "b"), us: fleetOf("a", "b") }, { stdin: "a\nb\n" });
    await exits(0, "relayers pause - -c eu,us --confirm 4", world);
    expect(writesOf(requests)).toHaveLength(4);
  });

  test("prints an undo command for each context, which pastes as it is", async () => {
    const { world } = worldOf({ eu: fleetOf("a"), us: fleetOf("a") });
    const paused = await cli("relayers pause --all -c eu,us --confirm 2", world);
    const undone = [...paused.stderr.matchAll(/^undo: relayctl (.*)$/gm)].map(([, line = ""]) => line);
    expect(undone).toEqual(["-c eu relayers resume a", "-c us relayers resume a"]);
    for (const line of undone) expect((await cli(line, world)).exitCode).toBe(0);
    expect((await cli("relayers list -c eu,us --where paused", world)).stdout).toBe("");
  });

  test("is refused in read-only mode before anything is sent", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a"), us: fleetOf("a") }, { env: { RELAYCTL_READONLY: "1" } });
    expect(await cli("relayers pause --all -c eu,us --confirm 2", world)).toMatchObject({ exitCode: 3 });
    expect(requests).toEqual([]);
  });

  test("prints nothing on stderr with --quiet but errors, and does the same", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    expect(await cli("relayers pause --all -c eu,us --confirm 2 -q", world)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(writesOf(requests)).toHaveLength(2);
  });

  test("asks for its number in a pattern that selects one context too", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    expect(await cli(["relayers", "pause", "a", "-c", "e*"], world)).toMatchObject({ exitCode: 3 });
    expect(writesOf(requests)).toEqual([]);
    expect(await cli(["relayers", "pause", "a", "-c", "e*", "--confirm", "1"], world)).toMatchObject({ exitCode: 0 });
  });
});
