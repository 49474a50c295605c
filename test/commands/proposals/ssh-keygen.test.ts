import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withPrivateFiles } from "../../../src/config/files/private-files.ts";
import { runProgram } from "../../../src/config/token/run-program.ts";
import { parseApproverSigners } from "../../../src/proposals/approvers.ts";
import type { Proposal } from "../../../src/proposals/proposal.ts";
import { createProposalSignature, findSigners } from "../../../src/proposals/signatures.ts";
import { clock, signalGroup } from "../../../src/system.ts";
import { testApp } from "../../helpers/test-app.ts";

const folder = mkdtempSync(join(tmpdir(), "relayctl-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isThere = spawnSync("ssh-keygen", ["-?"]).error === undefined;

test.skipIf(!isThere)("OpenSSH signs and verifies a proposal, and no other bytes, key, or purpose", async () => {
  const lines = ["ada", "bob"].map((name) => {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(folder, name)]);
    return `${name} ${readFileSync(join(folder, `${name}.pub`), "utf8")}`;
  });
  const [ada, bob] = [join(folder, "ada"), join(folder, "bob")];
  const never = new AbortController().signal;
  const surroundings = { env: process.env, clock, interrupt: never, signalGroup };
  const app = {
    ...testApp({}).app,
    privateFiles: withPrivateFiles,
    execute: (argv: readonly string[], limits: Parameters<typeof runProgram>[1]) =>
      runProgram(argv, limits, surroundings),
  };
  const proposal = { nonce: "1", user: "carol", context: "prod" } as Proposal;
  const changed = { ...proposal, nonce: "2" };
  const signatures = [
    await createProposalSignature(app, proposal, ada),
    await createProposalSignature(app, proposal, bob),
  ];
  const both = { signers: parseApproverSigners(lines.join("")) };
  const restricted = { signers: parseApproverSigners(`bob namespaces="git" ${lines[1]?.slice(4)}`) };
  expect(await findSigners(app, both, { proposal, signatures })).toEqual(["ada", "bob"]);
  expect(await findSigners(app, both, { proposal: changed, signatures })).toEqual([]);
  expect(await findSigners(app, restricted, { proposal, signatures })).toEqual([]);
  expect(await findSigners(app, both, { proposal, signatures: ["no signature"] })).toEqual([]);
  await expect(createProposalSignature(app, proposal, join(folder, "missing"))).rejects.toMatchObject({
    failure: "declined",
  });
});
