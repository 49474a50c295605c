import { createClient } from "../../../src/client/client.ts";
import { type DoctorOptions, examineService } from "../../../src/doctor/examine.ts";
import { TOKEN } from "../../helpers/test-app.ts";
import { testClientContext } from "../../helpers/test-link.ts";
import { type Sick, ward, well } from "./sick.ts";

const OTHER = `0x${"2".repeat(40)}`;

/** Examines a service as the library does. */
async function examined(sick: Sick, options?: DoctorOptions) {
  const { world } = ward(sick);
  const context = testClientContext(world.service, { token: TOKEN, clock: world.clock, retries: 0 });
  return await examineService(
    {
      clientFor: (remaining) => createClient({ ...context, remaining }),
      origin: "https://relayer.example.org",
      clock: world.clock,
      interrupt: context.controller.signal,
    },
    options,
  );
}

test("returns findings with commands for the same service, and no check of this machine", async () => {
  const { findings, skipped } = await examined({
    relayers: [well({ paused: true }, { whitelist_receivers: undefined })],
  });
  expect(findings).toEqual([
    {
      code: "REL-PAUSED",
      severity: "warn",
      relayer: "r1",
      message: "paused, and the journal here does not show by whom",
      since: null,
      command: "relayctl --server https://relayer.example.org relayers resume r1",
      advice: null,
    },
    expect.objectContaining({ code: "REL-ANY-RECEIVER", severity: "note" }),
  ]);
  expect(skipped.map(({ code }) => code).filter((code) => /^(?:CONF|NODE-|JOURNAL)/.test(code ?? ""))).toEqual([]);
});

test("examines the given relayers for the given codes alone", async () => {
  const relayers = [well({ paused: true }), well({ id: "r2", address: OTHER, paused: true })];
  const only = async (options: DoctorOptions) =>
    (await examined({ relayers }, options)).findings.map(({ code, relayer }) => `${code} ${relayer}`);
  expect(await only({ relayers: ["r2"] })).toEqual(["REL-PAUSED r2"]);
  expect(await only({ only: ["REL-PAUSED"], ignore: ["REL-PAUSED"] })).toEqual([]);
  expect(await only({ only: ["REL-NO-CAP"] })).toEqual([]);
  await expect(only({ relayers: ["nobody"] })).rejects.toMatchObject({ failure: "not_found" });
});

test("reports the checks that were skipped when the time ran out, and a token that is rejected", async () => {
  const { findings, skipped } = await examined({}, { deadline: 0 });
  expect(findings).toEqual([]);
  expect(skipped).toContainEqual({ code: "SVC-REACH", relayer: null, reason: "the time limit was reached" });
  const refused = await examined({ failures: [{ method: "GET", path: "/api/v1/relayers", status: 401, rate: 1 }] });
  expect(refused.findings).toMatchObject([{ code: "SVC-AUTH", severity: "fail" }]);
});
