import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proposalBytes, type StoredProposal } from "../../../../src/proposals/proposal.ts";
import { fakeSignature, fakeSshKeygen, signerLine } from "../../../helpers/fake-ssh-keygen.ts";
import { configOf } from "../real-files.ts";
import type { Row } from "../row.ts";

const SEND = "tx send eth-main-1 --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1gwei --speed fast";
const APPROVED = configOf({ approvers: { needed: 1, signers: [signerLine("bob")] } });
const row = (line: string, more: Partial<Row> = {}): Row => ({ line, files: { "config.json": configOf() }, ...more });

/** Whatever happened, the proposal is used up or can be approved: its request is sent at most once. */
const sentOnce: Row["after"] = async (life, { line, exitCode, accepted }) => {
  const again = await life.run(line);
  return [
    ...([0, 6].includes(again.exitCode) ? [] : [`again: exit ${again.exitCode}: ${again.stderr}`]),
    ...(accepted.length + again.accepted.length > 1 ? ["the request was sent twice"] : []),
    ...(exitCode === 0 && accepted.length !== 1 ? ["said to be sent, and it was not"] : []),
  ];
};

export const PROPOSAL_ROWS: readonly Row[] = [
  row(`propose --out FOLDER/pay.json -- ${SEND}`, {
    after: async (life, { line }) => {
      const { exitCode, stderr } = await life.run(line.replace("pay.json", "other.json"));
      return exitCode === 0 ? [] : [`again: exit ${exitCode}: ${stderr}`];
    },
  }),
  row("approve FOLDER/pay.json", {
    before: [`propose --out FOLDER/pay.json -- ${SEND}`],
    world: () => ({ terminal: true, stdoutTerminal: false, answers: [true] }),
    after: sentOnce,
  }),
  row("approve FOLDER/pay.json --reason signed", {
    files: { "config.json": APPROVED },
    before: [`propose --out FOLDER/pay.json -- ${SEND}`, ({ folder }) => change(join(folder, "pay.json"), signed)],
    world: () => ({ execute: fakeSshKeygen }),
    after: sentOnce,
  }),
  row("approve FOLDER/pay.json --sign --identity KEYbob", {
    before: [`propose --out FOLDER/pay.json -- ${SEND}`, ({ folder }) => change(join(folder, "pay.json"), asked)],
    world: () => ({ execute: fakeSshKeygen, terminal: true, stdoutTerminal: false, answers: [true] }),
    replaces: ["pay.json"],
  }),
  row("approve FOLDER/rules.json", {
    files: { "config.json": APPROVED },
    before: [
      "propose --out FOLDER/rules.json -- context set prod --no-approvers",
      ({ folder }) => change(join(folder, "rules.json"), signed),
    ],
    world: () => ({ execute: fakeSshKeygen }),
    after: async (life, { line, exitCode }) => {
      const isOpen = !life.read("config.json")?.includes("approvers");
      const again = await life.run(line);
      return [
        ...(exitCode !== 0 || isOpen ? [] : ["said to be changed, and it was not"]),
        ...([0, 6].includes(again.exitCode) ? [] : [`again: exit ${again.exitCode}: ${again.stderr}`]),
      ];
    },
  }),
];

function change(path: string, edit: (stored: StoredProposal) => StoredProposal): void {
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, "utf8")))));
}

function signed({ proposal }: StoredProposal): StoredProposal {
  return { proposal, signatures: [fakeSignature("KEYbob", proposalBytes(proposal))] };
}

/** As if somebody else had asked for it. */
function asked({ proposal }: StoredProposal): StoredProposal {
  return { proposal: { ...proposal, user: "carol" }, signatures: [] };
}
